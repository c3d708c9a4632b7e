import os from "node:os";
import path from "node:path";

import type { ActivityDeps } from "../../src/activities/deps.ts";
import { UnknownSecretError } from "../../src/domain/ground/secrets.ts";

/** The ports of what follows calls, for tests in which nothing does: whoever uses one is told so. */
export function noFollowUpPorts(): Pick<
  ActivityDeps,
  "outbox" | "secrets" | "outbound" | "recordingsDir" | "lists"
> {
  return {
    outbox: { kick() {} },
    secrets: {
      read(name) {
        throw new UnknownSecretError(name, `this test has no secret, and ${name} was asked for`);
      },
    },
    outbound: {
      request: ({ url }) => Promise.reject(new Error(`this test sends no request, and ${url} was asked for`)),
      close: async () => {},
    },
    recordingsDir: path.join(os.tmpdir(), "outdial-no-recordings"),
    lists: {
      dir: path.join(os.tmpdir(), "outdial-no-lists"),
      spoolDir: path.join(os.tmpdir(), "outdial-no-spool"),
      databases: {},
      downloads: {
        read: ({ url }) => Promise.reject(new Error(`this test reads no list, and ${url} was asked for`)),
        close: async () => {},
      },
    },
  };
}
