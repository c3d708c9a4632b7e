/** The sandbox as a library, for tests of other programs: everything that is promised to its users, and nothing else. */
import type { SandboxCallPlan, SandboxFaults, SandboxOutcome } from "./library-types.ts";
import { libraryFaults, prescribe } from "./library.ts";
import { createSandbox } from "./sandbox.ts";
import type { Delivery } from "./webhooks.ts";

export type {
  FaultJson,
  SandboxCallPlan,
  SandboxFault,
  SandboxFaultInForce,
  SandboxFaults,
  SandboxOutcome,
} from "./library-types.ts";

export type StartedRooms =
  | "none"
  | "simulated"
  | { readonly url: string; readonly apiKey: string; readonly apiSecret: string }
  | { readonly server: string };

export interface StartOptions {
  /** A whole number: all that happens on calls, and all ids, follow from it. Default 1. */
  readonly seed?: number | undefined;
  /** Divides every simulated duration. Default 1: calls take as long as real ones. */
  readonly speed?: number | undefined;
  /** Default: any that is free. */
  readonly port?: number | undefined;
  /** Default `sandbox-key`. */
  readonly apiKey?: string | undefined;
  /** How the platform shows itself: as its contract says (the default), or as its published clients see it. */
  readonly dialect?: "contract" | "published" | undefined;
  /** Signs webhooks (Standard Webhooks): 24 to 64 bytes in base64, `whsec_` before it or not. */
  readonly webhookSecret?: string | undefined;
  /** A YAML or JSON file with faults that come and go. */
  readonly scenario?: string | undefined;
  /**
   * Where web calls and chats over `livekit` take place: in nothing, which refuses them (the default), as if somebody
   * had joined, or on a LiveKit server: one that runs, or an executable of one that is started. These need
   * `@livekit/rtc-node`.
   */
  readonly rooms?: StartedRooms | undefined;
  /** A file in which the state survives a restart. */
  readonly data?: string | undefined;
}

/** A call that was placed. */
export interface SandboxDial {
  readonly phone: string;
  readonly fromNumber: string;
  readonly callId: string;
  /** Undefined: it was placed alone. */
  readonly batchCallId: string | undefined;
  /** ISO 8601, by the sandbox's clock. */
  readonly at: string;
}

/** What was asked on a route. */
export interface SandboxRequests {
  readonly requests: number;
  /** How many were answered with each status. Those that a fault cut off count as what they would have been. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** An event of a call on its way to a receiver. */
export interface SandboxDelivery {
  /** `webhook-id`: the same in each attempt. */
  readonly id: string;
  readonly url: string;
  readonly event: string;
  readonly callId: string;
  /** `refused`: the address is not of this machine. `lost`: a fault took it. */
  readonly state: "pending" | "delivered" | "failed" | "refused" | "lost";
  /** `status` is undefined where nobody answered. */
  readonly attempts: readonly { readonly at: string; readonly status: number | undefined }[];
}

/** A platform of one's own, on this machine. `baseUrl`, `wsUrl` and `apiKey` are options of `createPlatform`. */
export interface StartedSandbox {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly apiKey: string;
  /** An agent that is published, and may call. */
  readonly agentId: string;
  /** Numbers to call from. */
  readonly fromNumbers: readonly string[];
  /** By which simulated durations are divided. What happened has the times of the machine's clock. */
  readonly speed: number;
  /** What the platform does wrong. */
  readonly faults: SandboxFaults;
  /**
   * Says what the next calls of a number come to, one outcome each; the last stands for all that follow, and without any
   * the number is the seed's again. @throws Error which names what is wrong with an outcome
   */
  answer(phone: string, ...outcomes: readonly (SandboxOutcome | SandboxCallPlan)[]): void;
  /** Every call that was placed so far, oldest first: whose phone rang, and how often. */
  dials(): readonly SandboxDial[];
  /** What was asked so far, by route: `POST /v1/calls/phone`. */
  requests(): Readonly<Record<string, SandboxRequests>>;
  /** How many calls are up now, ringing ones included. */
  activeCalls(): number;
  /** Webhooks, oldest first; the last thousand are kept. */
  webhooks(): readonly SandboxDelivery[];
  /** In US dollars. */
  setBalance(usd: number): void;
  /** Ends it, and every connection to it. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Resolves once it listens, on this machine alone. @throws Error which names every option out of range */
export async function startSandbox(options: StartOptions = {}): Promise<StartedSandbox> {
  const { seed, speed, port, apiKey, dialect, webhookSecret, scenario, rooms, data } = options;
  const sandbox = await createSandbox({
    ...(seed !== undefined && { seed }),
    ...(speed !== undefined && { speed }),
    ...(port !== undefined && { port }),
    ...(apiKey !== undefined && { apiKeys: [apiKey] }),
    ...(dialect !== undefined && { dialect }),
    ...(webhookSecret !== undefined && { webhooks: { secret: webhookSecret } }),
    ...(scenario !== undefined && { scenario }),
    ...(rooms !== undefined && { rooms }),
    ...(data !== undefined && { data }),
  });
  const close = () => sandbox.close();
  return {
    baseUrl: sandbox.url,
    wsUrl: sandbox.wsUrl,
    apiKey: sandbox.apiKey,
    agentId: sandbox.seeds.agents.find(({ published }) => published)?.id ?? "",
    fromNumbers: sandbox.seeds.numbers,
    speed: speed ?? 1,
    faults: libraryFaults(sandbox.faults),
    answer: (phone, ...outcomes) => prescribe(sandbox.outcomes, phone, outcomes),
    dials: () =>
      sandbox.dialLog.entries().map((dial) => ({
        phone: dial.phone,
        fromNumber: dial.from_number,
        callId: dial.call_id,
        batchCallId: dial.batch_call_id ?? undefined,
        at: dial.at,
      })),
    requests: () => sandbox.stats().routes,
    activeCalls: () => sandbox.stats().activeCalls,
    webhooks: () => sandbox.deliveries().map(shownDelivery),
    setBalance: (usd) => sandbox.setBalance(usd),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function shownDelivery({ id, url, event, call_id: callId, state, attempts }: Delivery): SandboxDelivery {
  return {
    id,
    url,
    event,
    callId,
    state,
    attempts: attempts.map(({ at, status }) => ({ at, status: status ?? undefined })),
  };
}
