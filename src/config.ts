import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { z } from "zod";

import { ENDLESS_LINES, type AccountLines } from "./domain/campaigns/account-lines.ts";
import { reasonWords } from "./domain/ground/reason-words.ts";
import { isLoopback } from "./http/loopback.ts";
import { parseAllowList } from "./outbound/allow-list.ts";
import { setting, type Setting, type SettingDoc } from "./setting.ts";
import {
  GRPC_META_PREFIX,
  readTemporal,
  TEMPORAL_SETTINGS,
  type TemporalSettings,
} from "./temporal-settings.ts";
import { readMountPath, SANDBOX_DIALECTS } from "./sandbox-mount.ts";

/*
 * Every setting of Outdial, and the only reader of the environment. docs/configuration.md is written from this
 * table by `npm run docs`, and a test holds the two against each other.
 */

/** An address whose every part may be shown: it stands in messages and logs. */
const shownUrl = (protocol: RegExp, error: string) =>
  z
    .url({ protocol, error })
    .refine((text) => !hasCredentials(text), {
      message:
        "must not hold a user name or password: they are not sent, and the address is shown in messages",
    })
    .refine((text) => !/[?#]/.test(text), {
      message: "must not hold a query or a fragment: leave out what begins with ? or #",
    });

function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username !== "" || password !== "";
}

const httpUrl = shownUrl(/^https?$/, "must be an http or https address");
const port = z.coerce
  .number({ error: "must be a port number" })
  .int()
  .min(0, "must be 0 to 65535")
  .max(65_535, "must be 0 to 65535");

const lineCount = z.coerce
  .number({ error: "must be a number" })
  .int("must be a whole number")
  .max(100_000, "must be 100000 or less");

/** `brand=calls`, separated by commas. */
const brandLines = z
  .string()
  .default("")
  .transform((text, context) => {
    const lines = new Map<string, number>();
    for (const entry of listed(text, ",")) {
      const [, brand = "", count = ""] = /^([a-z0-9][a-z0-9._-]*)\s*=\s*(\d+)$/.exec(entry) ?? [];
      const calls = Number(count);
      if (brand === "" || calls < 1 || calls > ENDLESS_LINES || lines.has(brand)) {
        context.addIssue({
          code: "custom",
          message: `must be brand=calls, each brand once, with 1 to ${ENDLESS_LINES} calls, separated by commas (${entry} is not)`,
        });
      }
      lines.set(brand, calls);
    }
    return lines;
  });

const allowList = z
  .string()
  .default("")
  .transform((text) => listed(text, ","))
  .superRefine((entries, context) => {
    try {
      parseAllowList(entries);
    } catch (error) {
      context.addIssue(reasonWords(error));
    }
  });

/** Whoever guesses it can make us ask the platform for calls, and nothing more; still, nobody shall guess it. */
const HOOK_TOKEN_LETTERS = 24;

const hookTokens = z
  .string()
  .default("")
  .transform((text) => listed(text, /\s+/))
  .refine((tokens) => tokens.every((token) => token.length >= HOOK_TOKEN_LETTERS), {
    message: `must have ${HOOK_TOKEN_LETTERS} characters or more in each token`,
  })
  .refine((tokens) => tokens.every((token) => /^[\w.~-]+$/.test(token)), {
    message: "must be made of letters, digits, -, _, . and ~: it stands in an address",
  });

function listed(text: string, separator: string | RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** A path that a sandbox is mounted under; slashes at its end are forgiven, and `/` is none. */
const mountPath = z.string().transform((text, context) => {
  const path = readMountPath(text);
  if (path !== undefined) return path;
  context.issues.push({ code: "custom", message: "must be a path such as /api", input: text });
  return z.NEVER;
});

const SETTINGS = {
  OUTDIAL_DATA_DIR: setting({
    schema: z.string().min(1).optional(),
    meaning:
      "Folder of the embedded ledger and of Temporal's data. One running system a folder; several folders live beside each other.",
    example: "/var/lib/outdial",
    default: "$XDG_DATA_HOME/outdial, or ~/.local/share/outdial",
  }),
  DATABASE_URL: setting({
    schema: z.url({ protocol: /^postgres(?:ql)?$/, error: "must be a postgres:// address" }).optional(),
    meaning: "PostgreSQL 15 or later for the ledger. Absent: the embedded ledger in the data folder.",
    example: "postgres://outdial@db.internal/outdial",
    secret: true,
  }),
  OUTDIAL_DATABASE_CONNECTIONS: setting({
    schema: z.coerce
      .number({ error: "must be a number" })
      .int()
      .min(2, "must be 2 or more")
      .max(200)
      .default(10),
    meaning: "Connections to PostgreSQL that this process may open.",
    example: "20",
    default: "10",
  }),
  PLATFORM_BASE_URL: setting({
    schema: httpUrl.optional(),
    meaning: "Address of the voice-agent platform; a path prefix is allowed.",
    example: "https://api.voice.example.com",
  }),
  PLATFORM_WS_URL: setting({
    schema: shownUrl(/^wss?$/, "must be a ws or wss address").optional(),
    meaning: "Address of the platform's event stream.",
    example: "wss://stream.voice.example.com",
    default: "PLATFORM_BASE_URL with ws for http",
  }),
  PLATFORM_API_KEY: setting({
    schema: z
      .string()
      .regex(/^[\x21-\x7e]+$/, {
        message:
          "must be made of visible ASCII characters, without spaces or line breaks: it (or what PLATFORM_API_KEY_FILE holds) is no key as the platform shows them, so copy it again",
      })
      .optional(),
    meaning:
      "Key of the platform. From a file, PLATFORM_API_KEY_FILE, it can be rotated, and a file that changes is read again.",
    example: "the key as the platform showed it once",
    secret: true,
  }),
  PLATFORM_CONNECTIONS: setting({
    schema: z.coerce
      .number({ error: "must be a number" })
      .int()
      .min(1, "must be 1 or more")
      .max(256)
      .default(16),
    meaning: "Connections to the platform's REST interface that this process may open.",
    example: "32",
    default: "16",
  }),
  OUTDIAL_PLATFORM_PROFILE: setting({
    schema: z.string().min(1).optional(),
    meaning:
      "File with what `outdial qualify` found out about the platform; the engine takes what makes it more careful.",
    example: "/var/lib/outdial/platform-profile.json",
    default: "platform-profile.json in the data folder, where there is one",
  }),
  ...TEMPORAL_SETTINGS,
  TEMPORAL_CLI_PATH: setting({
    schema: z.string().min(1).optional(),
    meaning: "A `temporal` executable to start the provided server with.",
    example: "/usr/local/bin/temporal",
    default: "found on PATH, else fetched once",
  }),
  OUTDIAL_API_HOST: setting({
    schema: z.string().min(1).default("127.0.0.1"),
    meaning: "Address that the HTTP API listens on. Anything but loopback needs OUTDIAL_API_TOKEN.",
    example: "0.0.0.0",
    default: "127.0.0.1",
  }),
  OUTDIAL_API_PORT: setting({
    schema: port.optional(),
    meaning: "Port that the HTTP API listens on; 0 takes any free one.",
    example: "8480",
    default: "8480; any free one where a command starts the system for itself",
  }),
  OUTDIAL_API_TOKEN: setting({
    schema: z
      .string()
      .min(16, "must have 16 characters or more")
      .regex(/^[\x20-\x7e]*$/, "must be made of printable ASCII characters: it travels in a header")
      .optional(),
    meaning: "Bearer token that the HTTP API asks for, and that commands show to it.",
    example: "a random text of 32 characters",
    secret: true,
  }),
  OUTDIAL_API_URL: setting({
    schema: httpUrl.optional(),
    meaning:
      "Where commands find the HTTP API of a running system. It is taken at its word; one that is found at a port must work on the database of DATABASE_URL.",
    example: "http://127.0.0.1:8480",
    default:
      "the address in the data folder's lock file, or of a run on the same database, else http://127.0.0.1:8480",
  }),
  OUTDIAL_CONCURRENCY: setting({
    schema: lineCount.min(1, "must be 1 or more").optional(),
    meaning:
      "How many calls may be up at once over all campaigns, callbacks and sequences, which share them by their weights. The same for every process that dials.",
    example: "70",
    default: "each campaign's own concurrency alone",
  }),
  OUTDIAL_CONCURRENCY_RESERVE: setting({
    schema: lineCount.min(0, "must be 0 or more").default(0),
    meaning: "How many of these lines are kept for callbacks and calls of sequences.",
    example: "5",
    default: "0",
  }),
  OUTDIAL_CONCURRENCY_BRANDS: setting({
    schema: brandLines,
    meaning:
      "How many calls of single brands may be up at once, within the account's: brand=calls, separated by commas. The same for every process that dials.",
    example: "acme=30,beta=20",
    default: "no brand has a limit of its own",
  }),
  OUTDIAL_CALLS_PER_SECOND: setting({
    schema: z.coerce
      .number({ error: "must be a number" })
      .min(0.01, "must be 0.01 or more")
      .max(1_000, "must be 1000 or less")
      .optional(),
    meaning:
      "How many calls may begin a second over all campaigns, callbacks and sequences: in any second, not on the average. The same for every process that dials.",
    example: "5",
    default: "as many as there are lines for",
  }),
  OUTDIAL_REQUESTS_PER_SECOND: setting({
    schema: z.coerce
      .number({ error: "must be a number" })
      .min(0.5, "must be 0.5 or more")
      .max(10_000, "must be 10000 or less")
      .optional(),
    meaning:
      "How many requests a second all processes together send to the platform; each has an even part. What stops calls does not wait for it. The same for every process.",
    example: "50",
    default: "what the platform takes: less after a 429, then ever more again",
  }),
  OUTDIAL_LOG_LEVEL: setting({
    schema: z
      .enum(["debug", "info", "warn", "error", "silent"], {
        error: "must be debug, info, warn, error or silent",
      })
      .default("info"),
    meaning: "How much is logged.",
    example: "debug",
    default: "info",
  }),
  OUTDIAL_SPEED: setting({
    schema: z.coerce.number({ error: "must be a number" }).min(1, "must be 1 or more").max(10_000).default(1),
    meaning:
      "Divides the engine's own waits, to go with a sandbox of that speed. Refused for a platform that is not on this machine.",
    example: "60",
    default: "1",
  }),
  OUTDIAL_SANDBOX_DIALECT: setting({
    schema: z.enum(SANDBOX_DIALECTS, { error: "must be contract or published" }).default("contract"),
    meaning:
      "How sandboxes that Outdial starts show the platform: by its contract, or as its published low-code clients know it.",
    example: "published",
    default: "contract",
  }),
  OUTDIAL_SANDBOX_BASE_PATH: setting({
    schema: mountPath.optional(),
    meaning: "Path under which sandboxes that Outdial starts are mounted.",
    example: "/api",
    default: "none; /api in the dialect published",
  }),
  OUTDIAL_SECRETS_DIR: setting({
    schema: z.string().min(1).optional(),
    meaning:
      "Folder of the secrets that triggers, sequences and follow-ups name: a file each, named as the secret, one value a line, newest first. Read again when used.",
    example: "/run/secrets/outdial",
  }),
  OUTDIAL_OUTBOUND_ALLOW: setting({
    schema: allowList,
    meaning:
      "Hosts, addresses and ranges that webhooks may be sent to although they are not public, or not https; separated by commas.",
    example: "n8n.internal,10.20.0.0/16",
    default: "none: public addresses by https only",
  }),
  OUTDIAL_RECORDINGS_DIR: setting({
    schema: z.string().min(1).optional(),
    meaning: "Folder where follow-ups keep recordings of calls.",
    example: "/var/lib/outdial/recordings",
    default: "recordings in the data folder",
  }),
  OUTDIAL_LISTS_DIR: setting({
    schema: z.string().min(1).optional(),
    meaning:
      "Folder of the files that recurring campaigns take their contacts from; nothing outside it is read.",
    example: "/var/lib/outdial/lists",
    default: "lists in the data folder",
  }),
  OUTDIAL_ZONE_DATA: setting({
    schema: z.string().min(1).optional(),
    meaning:
      "Folder into which npm installed a newer moment-timezone: the rules of time zones, read when a process starts. What Outdial ships is used where that is newer.",
    example: "/var/lib/outdial/zones",
    default: "what Outdial ships",
  }),
  OUTDIAL_HOOK_TOKEN: setting({
    schema: hookTokens,
    meaning:
      "Token in the address that the platform's call webhooks are sent to; several, separated by spaces, while it is being changed. Absent: none are taken.",
    example: "a random text of 32 letters and digits",
    secret: true,
  }),
} as const;

type SettingName = keyof typeof SETTINGS;
type Values = { [Name in SettingName]: z.output<(typeof SETTINGS)[Name]["schema"]> };

const SECRET_PREFIX = "OUTDIAL_SECRET_";
const DATABASE_PREFIX = "OUTDIAL_DATABASE_";
const DATABASE_EXAMPLE = "postgres://outdial_reader@crm.internal/crm";
const databaseUrl = SETTINGS.DATABASE_URL.schema.unwrap();

/** The settings as a table, for the documentation and for `outdial doctor`. */
export const SETTING_DOCS: readonly SettingDoc[] = [
  ...Object.entries(SETTINGS).map(([name, definition]) => ({
    name,
    meaning: definition.meaning,
    example: definition.example,
    ...("default" in definition && { default: definition.default }),
    ...("secret" in definition && { secret: definition.secret }),
  })),
  {
    name: `${GRPC_META_PREFIX}<NAME>`,
    meaning: "A header of every request to the Temporal server: X_TEAM is x-team.",
    example: "renewals",
  },
  {
    name: `${SECRET_PREFIX}<NAME>`,
    meaning:
      "A secret that triggers, sequences and follow-ups name: crm-2 is OUTDIAL_SECRET_CRM_2. Several values, newest first, one a line, while it is being changed. Goes before a file in OUTDIAL_SECRETS_DIR.",
    example: "the secret as the other side showed it",
    secret: true,
  },
  {
    name: `${DATABASE_PREFIX}<NAME>`,
    meaning:
      "A PostgreSQL database that recurring campaigns take their contacts from: crm-2 is OUTDIAL_DATABASE_CRM_2. A user who may read what the queries need, and no more. (No database can be called connections.)",
    example: DATABASE_EXAMPLE,
    secret: true,
  },
];

/** All settings, frozen. Absent ones are undefined where nothing stands in for them. */
export interface Config {
  readonly dataDir: string;
  /** Whether somebody chose that folder, or it is the usual one. */
  readonly dataDirGiven: boolean;
  readonly cacheDir: string;
  readonly databaseUrl: string | undefined;
  readonly databaseConnections: number;
  readonly platform: {
    readonly baseUrl: string | undefined;
    readonly wsUrl: string | undefined;
    readonly apiKey: string | undefined;
    /** The file that the key was read from, and is read from again when it changes. */
    readonly apiKeyFile: string | undefined;
    readonly connections: number;
    /** A file that was named; absent, the usual one in the data folder. */
    readonly profile: string | undefined;
  };
  readonly temporal: TemporalSettings & {
    readonly cliPath: string | undefined;
    readonly searchPath: string;
  };
  readonly api: {
    readonly host: string;
    readonly port: number | undefined;
    readonly token: string | undefined;
    readonly url: string | undefined;
  };
  /** Of sandboxes that commands start. */
  readonly sandbox: {
    readonly dialect: (typeof SANDBOX_DIALECTS)[number];
    readonly basePath: string | undefined;
  };
  /** The account's lines, where campaigns share them. */
  readonly account: AccountLines | undefined;
  /** How many calls may begin a second, over all campaigns. */
  readonly callsPerSecond: number | undefined;
  /** How many requests a second all processes together send to the platform. */
  readonly requestsPerSecond: number | undefined;
  readonly logLevel: Values["OUTDIAL_LOG_LEVEL"];
  readonly speed: number;
  /** Where the secrets are that definitions name; by the name as a variable has it. Never printed. */
  readonly secrets: {
    readonly dir: string | undefined;
    readonly variables: Readonly<Record<string, string>>;
    readonly files: Readonly<Record<string, string>>;
  };
  /** Hosts, addresses and ranges that may be sent to although they are not public. */
  readonly outboundAllow: readonly string[];
  readonly recordingsDir: string;
  /** Where recurring campaigns get their contacts from. */
  readonly lists: {
    readonly dir: string;
    readonly spoolDir: string;
    /** Addresses by the name as a variable has it. Never printed. */
    readonly databases: Readonly<Record<string, string>>;
  };
  /** Where newer rules of time zones are than those that are shipped. */
  readonly zoneDataDir: string | undefined;
  /** Any of them opens the platform's webhooks; none, and there are none. */
  readonly hookTokens: readonly string[];
  /** What the terminal is told to do without: colours (NO_COLOR, https://no-color.org), or moving the cursor. */
  readonly terminal: { readonly noColor: boolean; readonly dumb: boolean };
}

/** Every problem of the settings at once, each with its variable's name and an example. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      `the settings have ${problems.length === 1 ? "a problem" : `${problems.length} problems`}:\n${problems.map((problem) => `  ${problem}`).join("\n")}`,
    );
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads all settings. `NAME_FILE` names a file that holds the value of a secret `NAME`. Empty means absent.
 *
 * @param given.dataDir goes before OUTDIAL_DATA_DIR, with everything that lies in the data folder.
 * @throws ConfigError with every problem at once.
 */
export function readConfig(
  environment: Environment = process.env,
  given: { dataDir?: string | undefined } = {},
): Config {
  const problems: string[] = [];
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const [name, definition] of Object.entries(SETTINGS) as [SettingName, Setting<z.ZodType>][]) {
    const text = textOf(environment, name, definition, problems);
    const parsed = definition.schema.safeParse(text);
    if (parsed.success) {
      values[name] = parsed.data;
    } else {
      const why = parsed.error.issues.map((issue) => issue.message).join(", ");
      problems.push(`${name} ${why}; for example ${name}=${definition.example}`);
    }
  }
  const databases = namedDatabases(environment, problems);
  const temporal = readTemporal(temporalVariables(values, environment), problems);
  checkLines(values as Values, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  const chosenDir = given.dataDir ?? (values as Values).OUTDIAL_DATA_DIR;
  const config = configOf(values as Values, environment, { databases, temporal, chosenDir });
  checkTogether(config, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(config);
}

function textOf(
  environment: Environment,
  name: string,
  definition: { secret?: boolean },
  problems: string[],
): string | undefined {
  const text = environment[name];
  if (text !== undefined && text !== "") return text;
  const file = definition.secret ? environment[`${name}_FILE`] : undefined;
  if (file === undefined || file === "") return undefined;
  try {
    return fs.readFileSync(file, "utf8").trim();
  } catch (error) {
    problems.push(`${name}_FILE names a file that can't be read (${file}: ${reasonWords(error)})`);
    return undefined;
  }
}

function configOf(
  values: Values,
  environment: Environment,
  read: {
    databases: Record<string, string>;
    temporal: TemporalSettings;
    chosenDir: string | undefined;
  },
): Config {
  const { databases, temporal, chosenDir } = read;
  const home = os.homedir();
  const dataDir = path.resolve(
    chosenDir ?? path.join(environment["XDG_DATA_HOME"] || path.join(home, ".local", "share"), "outdial"),
  );
  return {
    dataDir,
    dataDirGiven: chosenDir !== undefined,
    cacheDir: path.join(environment["XDG_CACHE_HOME"] || path.join(home, ".cache"), "outdial"),
    databaseUrl: values.DATABASE_URL,
    databaseConnections: values.OUTDIAL_DATABASE_CONNECTIONS,
    platform: {
      baseUrl: values.PLATFORM_BASE_URL,
      wsUrl: values.PLATFORM_WS_URL,
      apiKey: values.PLATFORM_API_KEY,
      apiKeyFile: apiKeyFileOf(environment),
      connections: values.PLATFORM_CONNECTIONS,
      profile: values.OUTDIAL_PLATFORM_PROFILE && path.resolve(values.OUTDIAL_PLATFORM_PROFILE),
    },
    temporal: {
      ...temporal,
      cliPath: values.TEMPORAL_CLI_PATH,
      searchPath: environment["PATH"] ?? "",
    },
    api: {
      host: values.OUTDIAL_API_HOST,
      port: values.OUTDIAL_API_PORT,
      token: values.OUTDIAL_API_TOKEN,
      url: values.OUTDIAL_API_URL,
    },
    sandbox: {
      dialect: values.OUTDIAL_SANDBOX_DIALECT,
      basePath: values.OUTDIAL_SANDBOX_BASE_PATH,
    },
    account: accountLines(values),
    callsPerSecond: values.OUTDIAL_CALLS_PER_SECOND,
    requestsPerSecond: values.OUTDIAL_REQUESTS_PER_SECOND,
    logLevel: values.OUTDIAL_LOG_LEVEL,
    speed: values.OUTDIAL_SPEED,
    secrets: {
      dir: values.OUTDIAL_SECRETS_DIR && path.resolve(values.OUTDIAL_SECRETS_DIR),
      ...namedSecrets(environment),
    },
    outboundAllow: values.OUTDIAL_OUTBOUND_ALLOW,
    recordingsDir: path.resolve(values.OUTDIAL_RECORDINGS_DIR ?? path.join(dataDir, "recordings")),
    lists: {
      dir: path.resolve(values.OUTDIAL_LISTS_DIR ?? path.join(dataDir, "lists")),
      spoolDir: path.join(dataDir, "spool"),
      databases,
    },
    zoneDataDir: values.OUTDIAL_ZONE_DATA && path.resolve(values.OUTDIAL_ZONE_DATA),
    hookTokens: values.OUTDIAL_HOOK_TOKEN,
    terminal: {
      noColor: (environment["NO_COLOR"] ?? "") !== "",
      dumb: environment["TERM"] === "dumb",
    },
  };
}

/** What Temporal's own reader gets to see: what is ours to check was checked, and nothing else of the environment. */
function temporalVariables(
  values: Partial<Record<SettingName, unknown>>,
  environment: Environment,
): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const name of Object.keys(TEMPORAL_SETTINGS) as (keyof typeof TEMPORAL_SETTINGS)[]) {
    const value = values[name];
    // To its reader even "false" would say that TLS is wanted.
    if (name === "TEMPORAL_TLS_DISABLE_HOST_VERIFICATION" || typeof value !== "string") continue;
    variables[name] = value;
  }
  for (const [name, value] of Object.entries(environment)) {
    const isPlace = name === "HOME" || name === "XDG_CONFIG_HOME" || name === "APPDATA";
    if (value && (isPlace || name.startsWith(GRPC_META_PREFIX))) variables[name] = value;
  }
  return variables;
}

/** As `textOf` has it: the variable goes before the file. */
function apiKeyFileOf(environment: Environment): string | undefined {
  const { PLATFORM_API_KEY: given, PLATFORM_API_KEY_FILE: file } = environment;
  if (given !== undefined && given !== "") return undefined;
  return file === undefined || file === "" ? undefined : path.resolve(file);
}

/**
 * `OUTDIAL_SECRET_<NAME>` and its `_FILE`, by NAME. A name that itself ends in `_FILE` can't be given by a variable
 * that way: it is read as the other's file.
 */
function namedSecrets(environment: Environment): Pick<Config["secrets"], "variables" | "files"> {
  const variables: Record<string, string> = {};
  const files: Record<string, string> = {};
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith(SECRET_PREFIX) || value === undefined || value === "") continue;
    const name = variable.slice(SECRET_PREFIX.length);
    if (name.endsWith("_FILE")) files[name.slice(0, -"_FILE".length)] = value;
    else variables[name] = value;
  }
  return { variables, files };
}

/** `OUTDIAL_DATABASE_<NAME>` and its `_FILE`, by NAME. */
function namedDatabases(environment: Environment, problems: string[]): Record<string, string> {
  const databases: Record<string, string> = {};
  const names = Object.keys(environment)
    // One of them is a setting of its own, and was there first.
    .filter((variable) => variable.startsWith(DATABASE_PREFIX) && !Object.hasOwn(SETTINGS, variable))
    .map((variable) => variable.slice(DATABASE_PREFIX.length).replace(/_FILE$/, ""));
  for (const name of new Set(names)) {
    const setting = `${DATABASE_PREFIX}${name}`;
    const text = textOf(environment, setting, { secret: true }, problems);
    if (text === undefined) continue;
    const parsed = databaseUrl.safeParse(text);
    if (parsed.success) databases[name] = parsed.data;
    else
      problems.push(`${setting} must be a postgres:// address; for example ${setting}=${DATABASE_EXAMPLE}`);
  }
  return databases;
}

/** Undefined where campaigns share nothing. */
function accountLines(values: Values): AccountLines | undefined {
  const { OUTDIAL_CONCURRENCY: limit, OUTDIAL_CONCURRENCY_RESERVE: reserve } = values;
  const { OUTDIAL_CONCURRENCY_BRANDS: brands } = values;
  if (limit === undefined && brands.size === 0) return undefined;
  return { limit: limit ?? ENDLESS_LINES, reserve, ...(brands.size > 0 && { brands }) };
}

/** Lines that are kept for some are some of all, and not all of them. */
function checkLines(values: Partial<Values>, problems: string[]): void {
  const { OUTDIAL_CONCURRENCY: limit, OUTDIAL_CONCURRENCY_RESERVE: reserve = 0 } = values;
  if (reserve === 0 || problems.length > 0) return;
  if (limit === undefined) {
    problems.push(
      `OUTDIAL_CONCURRENCY must be set where OUTDIAL_CONCURRENCY_RESERVE is; for example OUTDIAL_CONCURRENCY=${SETTINGS.OUTDIAL_CONCURRENCY.example}`,
    );
  } else if (reserve >= limit) {
    problems.push(
      `OUTDIAL_CONCURRENCY_RESERVE (${reserve}) must be less than OUTDIAL_CONCURRENCY (${limit}): campaigns with a list would never dial`,
    );
  }
}

/** What each setting alone can't say. */
function checkTogether(config: Config, problems: string[]): void {
  if (!isLoopback(config.api.host) && config.api.token === undefined) {
    problems.push(
      `OUTDIAL_API_TOKEN must be set where OUTDIAL_API_HOST (${config.api.host}) is not loopback; for example OUTDIAL_API_TOKEN=${SETTINGS.OUTDIAL_API_TOKEN.example}`,
    );
  }
  const { baseUrl } = config.platform;
  if (config.speed !== 1 && baseUrl !== undefined && !isLoopback(new URL(baseUrl).hostname)) {
    problems.push(
      "OUTDIAL_SPEED may only be set for a sandbox on this machine: PLATFORM_BASE_URL names another host",
    );
  }
}

function deepFreeze<T extends object>(value: T): Readonly<T> {
  for (const inner of Object.values(value)) {
    if (typeof inner === "object" && inner !== null) deepFreeze(inner);
  }
  return Object.freeze(value);
}
