import { clientTests } from "./suite.ts";

clientTests("gemini");
