/** Rules about the network: code that comes in, secrets that go out, doors that are opened. */

import type { Rule } from "../src/types.ts";
import { deleteRequest } from "./network/delete_request.ts";
import { lookAlikeCommand, lookAlikeFetch } from "./network/look_alike.ts";
import { metadataCommand, metadataFetch } from "./network/metadata.ts";
import { remoteCode } from "./network/remote_code.ts";
import { schemeCommand, schemeFetch } from "./network/schemes.ts";
import { secretUpload } from "./network/secret_upload.ts";
import { serveFiles } from "./network/serve.ts";
import { remoteShell } from "./network/shells.ts";

export const rules: readonly Rule[] = [
  remoteCode,
  secretUpload,
  remoteShell,
  serveFiles,
  metadataCommand,
  metadataFetch,
  lookAlikeCommand,
  lookAlikeFetch,
  schemeCommand,
  schemeFetch,
  deleteRequest,
];
