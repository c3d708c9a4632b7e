import { SEARCH_ATTRIBUTES } from "../search-attribute-keys.ts";
import type { TemporalAccess } from "./access.ts";

export type DynamicConfigValue = string | number | boolean;

export interface TemporalServerOptions {
  /** TEMPORAL_ADDRESS: a server that is already there ("host:port"). Nothing is started, then. */
  readonly address?: string | undefined;
  /** How that server is spoken to; nothing to servers of ours. Absent: in the clear, by anybody. */
  readonly access?: TemporalAccess | undefined;
  /** TEMPORAL_CLI_PATH: the `temporal` executable to use, and no other. */
  readonly cliPath?: string | undefined;
  /** The value of PATH: where `temporal`, python3 and go are looked for. */
  readonly searchPath: string;
  /** Folder of downloaded executables; made where it is missing. */
  readonly cacheDir: string;
  /**
   * Folder of the data file (`temporal.db`), the log and the state; made where it is missing. Undefined: the
   * server keeps everything in memory and ends with this process.
   */
  readonly dataDir?: string | undefined;
  /** Default "default". On a server of ours it is made where it is missing. */
  readonly namespace?: string | undefined;
  /**
   * Of the frontend. Undefined or 0: the port of the last run if it is free, else a free one. This and the
   * options below matter when a server is started; one that already runs is adopted as it is.
   */
  readonly port?: number | undefined;
  /** Of the web UI; as with `port`. */
  readonly uiPort?: number | undefined;
  /** Without the web UI. */
  readonly headless?: boolean | undefined;
  /** Prometheus metrics of the server at http://127.0.0.1:<port>/metrics; undefined: at a random port. */
  readonly metricsPort?: number | undefined;
  /** Settings of the server, such as {"frontend.namespaceRPS": 10000}. */
  readonly dynamicConfig?: Readonly<Record<string, DynamicConfigValue>> | undefined;
  /** Told in one line what is being done, and about how long it takes. */
  readonly onProgress: (message: string) => void;
}

/** Only this machine reaches the servers that we start: they know neither users nor keys. */
export const LOOPBACK = "127.0.0.1";

export interface StartPorts {
  readonly port: number;
  /** Undefined: no web UI. */
  readonly uiPort: number | undefined;
}

/** The arguments of `temporal` that start the development server. */
export function serverArguments(
  options: Pick<TemporalServerOptions, "namespace" | "metricsPort" | "dynamicConfig">,
  { port, uiPort }: StartPorts,
  databaseFile: string | undefined,
): string[] {
  const args = ["server", "start-dev", "--ip", LOOPBACK, "--port", String(port), "--log-level", "warn"];
  if (options.namespace !== undefined) args.push("--namespace", options.namespace);
  if (databaseFile !== undefined) args.push("--db-filename", databaseFile);
  if (uiPort === undefined) args.push("--headless");
  else args.push("--ui-port", String(uiPort));
  if (options.metricsPort !== undefined) args.push("--metrics-port", String(options.metricsPort));
  // In each of its namespaces, new ones and old ones.
  for (const name of SEARCH_ATTRIBUTES) args.push("--search-attribute", `${name}=Keyword`);
  // No call home to ask whether there is a newer version; the SDK's own test servers do the same.
  const settings = { "frontend.enableServerVersionCheck": false, ...options.dynamicConfig };
  for (const [key, value] of Object.entries(settings)) {
    args.push("--dynamic-config-value", `${key}=${JSON.stringify(value)}`);
  }
  return args;
}
