import { clientTests } from "./suite.ts";

clientTests("codex");
