import { clientTests } from "./suite.ts";

clientTests("claude");
