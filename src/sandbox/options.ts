import type { FastifyBaseLogger } from "fastify";
import { z } from "zod";

import { problemWords, specProblems } from "../domain/ground/spec-problems.ts";
import { DEFAULT_ORGANIZATION } from "./seed.ts";
import type { OrganizationSeed, OtherOrganizationSeed } from "./seed.ts";
import type { SimulatorOptions } from "./simulator.ts";
import type { KnownKey } from "./state/api-keys.ts";
import { DIALECTS } from "./dialect.ts";
import type { Dialect } from "./dialect.ts";
import type { ItemWords } from "./state/item-status.ts";
import type { LivekitSearch } from "./rooms/livekit-executable.ts";
import type { RoomsOption } from "./rooms/room-source.ts";
import { readScenario } from "./scenario.ts";
import type { ScenarioInput } from "./scenario.ts";
import type { StreamOptions } from "./stream.ts";
import type { WebhookOptions } from "./webhooks.ts";
import { SandboxOptionsError } from "./options-error.ts";

export interface SandboxOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** An integer; all that happens on calls, and all ids, follow from it. Default 1. */
  readonly seed?: number;
  /** Divides every simulated duration. Default 1: calls take as long as real ones. */
  readonly speed?: number;
  /** Text stands for a key with every scope. Default: one key, DEFAULT_API_KEY. */
  readonly apiKeys?: readonly (string | KnownKey)[];
  /** A path under which everything is mounted, such as `/api`. Default: none; in the dialect `published`, `/api`. */
  readonly basePath?: string;
  /** How the platform shows itself. Default `contract`. */
  readonly dialect?: Dialect;
  readonly organization?: OrganizationSeed;
  /** More organizations, which see nothing of each other. */
  readonly otherOrganizations?: readonly OtherOrganizationSeed[];
  readonly simulator?: SimulatorOptions;
  /** How items word their status. Default `detailed`. */
  readonly itemWords?: ItemWords;
  readonly stream?: StreamOptions;
  /** Makes every recording at least so large, for tests of clients; 0, the default: as long as the call was. */
  readonly recordingBytes?: number;
  readonly webhooks?: WebhookOptions;
  /** Faults that come and go from the start, or a YAML or JSON file with them; see `scenarioSchema`. */
  readonly scenario?: ScenarioInput | string;
  /** Where web calls and chats over `livekit` take place. Default `none`: they are refused. */
  readonly rooms?: RoomsOption;
  /** A file in which the state survives a restart. Without it, it ends with the sandbox. */
  readonly data?: string;
  /** Told when the data file can't be written any more, and with null when it can again. */
  readonly onDataTrouble?: (error: unknown) => void;
  /** Takes errors of the sandbox itself; without it they are not logged. */
  readonly logger?: FastifyBaseLogger;
}

/** Options with everything decided. */
export interface SandboxSettings {
  readonly host: string;
  readonly port: number;
  readonly seed: number;
  readonly speed: number;
  readonly apiKeys: readonly KnownKey[];
  readonly basePath: string;
  readonly dialect: Dialect;
  readonly organization: OrganizationSeed;
  readonly otherOrganizations: readonly OtherOrganizationSeed[];
  readonly simulator: SimulatorOptions;
  readonly itemWords: ItemWords;
  readonly stream: StreamOptions;
  readonly recordingBytes: number;
  readonly webhooks: WebhookOptions;
  readonly scenario: ScenarioInput | null;
  readonly rooms: RoomsOption;
  readonly data: string | null;
  readonly onDataTrouble: (error: unknown) => void;
  readonly logger: FastifyBaseLogger | null;
}

/** Published low-code clients ask for `/api/v1/...`. */
const PUBLISHED_BASE_PATH = "/api";

/** The key of a sandbox that was given none: no secret, good for a loopback address only. */
export const DEFAULT_API_KEY = "sandbox-key";

const weight = z.number().min(0).optional();

const checkedSchema = z.object({
  port: z.int().min(0).max(65_535),
  // 32 bits are what the hashes behind it take.
  seed: z
    .int()
    .min(-(2 ** 31))
    .max(2 ** 32 - 1),
  speed: z.number().positive().max(1_000_000),
  basePath: z
    .string()
    // Clients take steps of dots out of a path before they send it.
    .regex(/^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)*$/, "must be like /api, without a slash at the end"),
  dialect: z.enum(DIALECTS),
  apiKeys: z.array(z.object({ key: z.string().min(1), scopes: z.array(z.string()) })).min(1),
  simulator: z.object({
    unreachableShare: z.number().min(0).max(1).optional(),
    weights: z
      .object({ answered: weight, voicemail: weight, no_answer: weight, busy: weight, failed: weight })
      .optional(),
  }),
  // A hundred gigabytes: the file is made as it is read.
  recordingBytes: z.int().min(0).max(1e11),
  webhooks: z.object({
    // What Standard Webhooks ask for: 24 to 64 bytes.
    secret: z
      .string()
      .regex(
        /^(whsec_)?[A-Za-z0-9+/]{32,88}={0,2}$/,
        "must be 24 to 64 bytes in base64, `whsec_` before it or not",
      )
      .optional(),
    anyTarget: z.boolean().optional(),
  }),
  rooms: z.union(
    [
      z.enum(["none", "simulated"]),
      z.strictObject({
        url: z.url({ protocol: /^(ws|http)s?$/ }),
        apiKey: z.string().min(1),
        apiSecret: z.string().min(1),
        patienceMs: z.number().positive().optional(),
      }),
      z.strictObject({
        server: z.union([z.string().min(1), z.custom<LivekitSearch>((value) => typeof value === "object")]),
        patienceMs: z.number().positive().optional(),
      }),
    ],
    {
      error:
        "must be none, simulated, a server with its url (ws: or wss:), key and secret, or the path of an executable",
    },
  ),
  stream: z.object({
    coalesceMs: z.number().min(0).optional(),
    heartbeatMs: z.number().positive().optional(),
  }),
});

/** Decides what options leave open. Throws one error that names every option out of range. */
export function settingsFrom(options: SandboxOptions): SandboxSettings {
  const keys = options.apiKeys ?? [DEFAULT_API_KEY];
  const settings: SandboxSettings = {
    host: options.host ?? "127.0.0.1",
    port: options.port ?? 0,
    seed: options.seed ?? 1,
    speed: options.speed ?? 1,
    apiKeys: keys.map((key) => (typeof key === "string" ? { key, scopes: ["*"] } : key)),
    basePath: options.basePath ?? (options.dialect === "published" ? PUBLISHED_BASE_PATH : ""),
    dialect: options.dialect ?? "contract",
    organization: options.organization ?? DEFAULT_ORGANIZATION,
    otherOrganizations: options.otherOrganizations ?? [],
    simulator: options.simulator ?? {},
    itemWords: options.itemWords ?? "detailed",
    stream: options.stream ?? {},
    recordingBytes: options.recordingBytes ?? 0,
    webhooks: options.webhooks ?? {},
    scenario:
      typeof options.scenario === "string" ? readScenario(options.scenario) : (options.scenario ?? null),
    rooms: options.rooms ?? "none",
    data: options.data ?? null,
    onDataTrouble: options.onDataTrouble ?? (() => {}),
    logger: options.logger ?? null,
  };
  const checked = checkedSchema.safeParse(settings, { error: problemWords });
  if (!checked.success) {
    const wrong = specProblems(checked.error.issues, { whole: "the options", kind: "an option" });
    const problems = wrong.map(({ field, problem }) => `${field}: ${problem}`);
    throw new SandboxOptionsError(`sandbox options: ${problems.join("; ")}`);
  }
  return settings;
}
