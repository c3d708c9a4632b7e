import path from "node:path";
import { z } from "zod";

import { isLoopback } from "./http/loopback.ts";
import { API_SETTINGS, HOOK_SETTINGS, readApiSettings, type ApiSettings } from "./settings/api.ts";
import { CAMPAIGN_SETTINGS, readCampaignSettings, type CampaignSettings } from "./settings/campaigns.ts";
import { FOLLOW_UP_SETTINGS, readFollowUpSettings, type FollowUpSettings } from "./settings/follow-ups.ts";
import { NOTICE_SETTINGS, readSmtpSettings, type SmtpSettings } from "./settings/notices.ts";
import { DATA_KEY_SETTINGS, readDataKeySettings } from "./settings/data-keys.ts";
import type { DataKeys } from "./ledger/ground/data-keys.ts";
import { LEDGER_SETTINGS, readLedgerSettings, type LedgerSettings } from "./settings/ledger.ts";
import { PEOPLE_SETTINGS, readPeopleSettings, type PeopleSettings } from "./settings/people.ts";
import { PLATFORM_SETTINGS, readPlatformSettings, type PlatformSettings } from "./settings/platform.ts";
import { readSandboxSettings, SANDBOX_SETTINGS, type SandboxSettings } from "./settings/sandbox.ts";
import {
  NAMED_DATABASES,
  namedDatabases,
  readListSettings,
  SCHEDULE_SETTINGS,
  type ListSettings,
} from "./settings/schedules.ts";
import {
  NAMED_SECRETS,
  readSecretSettings,
  SECRET_SETTINGS,
  type SecretSettings,
} from "./settings/secrets.ts";
import {
  number,
  setting,
  textOf,
  type Environment,
  type Setting,
  type SettingDoc,
  type ValuesOf,
} from "./settings/setting.ts";
import { readTelemetrySettings, TELEMETRY_SETTINGS, type TelemetrySettings } from "./settings/telemetry.ts";
import { readTraceSettings, TRACE_SETTINGS, type TraceSettings } from "./settings/traces.ts";
import { readTemporalSettings, type TemporalSettings } from "./settings/temporal-reader.ts";
import { REQUEST_HEADERS, TEMPORAL_SETTINGS } from "./settings/temporal.ts";

/*
 * Every setting of Outdial, put together from the tables of what they are about, and the only reader of the
 * environment. docs/configuration.md is written from this table by `npm run docs`, and a test holds the two against
 * each other.
 */

const SETTINGS = {
  ...LEDGER_SETTINGS,
  ...PLATFORM_SETTINGS,
  ...TEMPORAL_SETTINGS,
  ...API_SETTINGS,
  ...PEOPLE_SETTINGS,
  ...CAMPAIGN_SETTINGS,
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
  ...TELEMETRY_SETTINGS,
  ...TRACE_SETTINGS,
  OUTDIAL_SPEED: setting({
    schema: number.min(1, "must be 1 or more").max(10_000).default(1),
    meaning:
      "Divides the engine's own waits, to go with a sandbox of that speed. Refused for a platform that is not on this machine.",
    example: "60",
    default: "1",
  }),
  ...SANDBOX_SETTINGS,
  ...SECRET_SETTINGS,
  ...DATA_KEY_SETTINGS,
  ...FOLLOW_UP_SETTINGS,
  ...NOTICE_SETTINGS,
  ...SCHEDULE_SETTINGS,
  OUTDIAL_ZONE_DATA: setting({
    schema: z.string().min(1).optional(),
    meaning:
      "Folder into which npm installed a newer moment-timezone: the rules of time zones, read when a process starts. What Outdial ships is used where that is newer.",
    example: "/var/lib/outdial/zones",
    default: "what Outdial ships",
  }),
  ...HOOK_SETTINGS,
} as const;

type SettingName = keyof typeof SETTINGS;
type Values = ValuesOf<typeof SETTINGS>;

/** The settings as a table, for the documentation and for `outdial doctor`. */
export const SETTING_DOCS: readonly SettingDoc[] = [
  ...Object.entries(SETTINGS).map(([name, definition]) => ({
    name,
    meaning: definition.meaning,
    example: definition.example,
    ...("default" in definition && { default: definition.default }),
    ...("secret" in definition && { secret: definition.secret }),
  })),
  REQUEST_HEADERS,
  NAMED_SECRETS,
  NAMED_DATABASES,
];

/** All settings, frozen. Absent ones are undefined where nothing stands in for them. */
export interface Config
  extends LedgerSettings, CampaignSettings, FollowUpSettings, TelemetrySettings, TraceSettings {
  readonly platform: PlatformSettings;
  readonly temporal: TemporalSettings;
  /** Whether builds of the workers are told apart. */
  readonly isVersioned: boolean;
  readonly api: ApiSettings;
  readonly people: PeopleSettings;
  readonly sandbox: SandboxSettings;
  readonly logLevel: Values["OUTDIAL_LOG_LEVEL"];
  readonly speed: number;
  readonly secrets: SecretSettings;
  /** What seals and opens sensitive values. */
  readonly dataKeys: DataKeys;
  readonly lists: ListSettings;
  readonly smtp: SmtpSettings;
  /** People are told when the platform's account has less left. */
  readonly lowCreditUsd: number | undefined;
  /** Where newer rules of time zones are than those that are shipped. */
  readonly zoneDataDir: string | undefined;
  /** Any of them opens the platform's webhooks; none, and there are none. */
  readonly hookTokens: readonly string[];
  readonly deliveriesPerMinute: number;
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
  const temporal = readTemporalSettings(values, environment, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  const config = configOf(
    values as Values,
    environment,
    { databases, temporal, dataDir: given.dataDir },
    problems,
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(config);
}

function configOf(
  values: Values,
  environment: Environment,
  read: { databases: Record<string, string>; temporal: TemporalSettings; dataDir: string | undefined },
  problems: string[],
): Config {
  const ledger = readLedgerSettings(values, environment, read.dataDir);
  const platform = readPlatformSettings(values, environment);
  const { dataDir } = ledger;
  const config: Config = {
    ...ledger,
    platform,
    temporal: read.temporal,
    isVersioned: values.OUTDIAL_WORKER_VERSIONING,
    api: readApiSettings(values, environment, problems),
    people: readPeopleSettings(values, problems),
    sandbox: readSandboxSettings(values),
    ...readCampaignSettings(values, problems),
    ...readTelemetrySettings(values),
    ...readTraceSettings(values),
    logLevel: values.OUTDIAL_LOG_LEVEL,
    speed: values.OUTDIAL_SPEED,
    secrets: readSecretSettings(values, environment),
    dataKeys: readDataKeySettings(values),
    ...readFollowUpSettings(values, dataDir),
    lists: readListSettings(values, dataDir, read.databases),
    smtp: readSmtpSettings(values),
    lowCreditUsd: values.OUTDIAL_LOW_CREDIT_USD,
    zoneDataDir: values.OUTDIAL_ZONE_DATA && path.resolve(values.OUTDIAL_ZONE_DATA),
    hookTokens: values.OUTDIAL_HOOK_TOKEN,
    deliveriesPerMinute: values.OUTDIAL_DELIVERIES_PER_MINUTE,
    terminal: {
      noColor: (environment["NO_COLOR"] ?? "") !== "",
      dumb: environment["TERM"] === "dumb",
    },
  };
  const { baseUrl } = platform;
  if (config.speed !== 1 && baseUrl !== undefined && !isLoopback(new URL(baseUrl).hostname)) {
    problems.push(
      "OUTDIAL_SPEED may only be set for a sandbox on this machine: PLATFORM_BASE_URL names another host",
    );
  }
  return config;
}

function deepFreeze<T extends object>(value: T): Readonly<T> {
  for (const inner of Object.values(value)) {
    if (typeof inner === "object" && inner !== null) deepFreeze(inner);
  }
  return Object.freeze(value);
}
