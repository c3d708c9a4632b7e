import type { Client } from "@temporalio/client";

import type { AccountLines } from "../domain/campaigns/account-lines.ts";
import type { CallRate } from "../domain/campaigns/call-rate.ts";
import type { ActsFor } from "../domain/ground/secrets.ts";
import type { RightsByClaims, SignInProvider } from "../domain/ground/sign-in-provider.ts";
import type { Notice } from "../domain/notices/notice.ts";
import type { RouteDefinition } from "../domain/notices/route.ts";
import type { NoticeSent } from "../domain/notices/sent.ts";
import type { ScrubAsking } from "../domain/policy/scrubbing.ts";
import type { ZoneDataFacts } from "../domain/time/zone-age.ts";
import type { DataKeys } from "../ledger/ground/data-keys.ts";
import type { SweepReport } from "../ledger/ground/sweeps.ts";
import type { KeyRotation } from "../ledger/keys/key-rotations.ts";
import type { ApiKey, Platform } from "../platform/index.ts";
import type { Tracer } from "../tracing/work.ts";
import type { TlsPair } from "./tls.ts";
import type { CommandPorts } from "../commands/ports.ts";

/** The part of a logger that the API uses. */
export interface HttpLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What the platform had that the ledger did not know of. */
interface Recovered {
  /** Batches of ours on the platform. */
  looked: number;
  /** Batches that the ledger had under way, and that have come to their end now. */
  settledBatches: number;
  adoptedBatches: number;
  adoptedAttempts: number;
  /** Numbers of those that are no contacts of their campaigns. */
  strangers: number;
  /** Batches that were never begun. */
  deleted: number;
  /** Batches of campaigns that the ledger does not have. */
  foreign: readonly string[];
  /** Schedules of which runs were passed over, since they may have been made. */
  passedOverSchedules: number;
}

/** What the platform says of its account. */
interface BalanceSeen {
  /** In millionths of a US dollar; undefined: it could not be read. */
  balanceMicros: number | undefined;
  /** Why. */
  unknown: string | undefined;
  /** More is let be spent than that. */
  isNoLimit: boolean;
  /** Those that were told to look again. */
  campaignIds: readonly string[];
}

/** The platform's key: where it is kept, and what the platform shows of it. */
export interface KeyInUse {
  /** Undefined: it is from the environment. */
  file: string | undefined;
  /** Why it can't be replaced there; undefined: it can. */
  fixed: string | undefined;
  key: ApiKey | undefined;
  /** Why the platform's record of it can't be told. */
  unknown: string | undefined;
  /** Unix milliseconds; undefined: never, or nobody knows. */
  endsAtMs: number | undefined;
  lastRotation: KeyRotation | undefined;
}

/** Sessions of people in browsers. */
export interface SessionSettings {
  /** One that nobody used for so long has ended. */
  idleMs: number;
  /** However much it is used, it ends by then. */
  lifeMs: number;
  /** What people open; undefined: the address that the server listens at. */
  publicUrl: string | undefined;
}

/** One thing that was looked at, without secrets. */
interface ExaminedThing {
  name: string;
  status: "ok" | "warn" | "fail";
  detail: string;
  /** What to do; where all is well, nothing. */
  remedy?: string;
}

/** What the HTTP API stands on. */
export interface HttpDeps extends CommandPorts {
  client: Client;
  platform: Platform;
  /** Where that platform is. */
  platformUrl: string;
  /** A clock that never goes back, in milliseconds; absent: the process's own. */
  monotonicMs?: (() => number) | undefined;
  /** By which rules of time zones this process goes. */
  zones: ZoneDataFacts;
  /** The account's lines, and how many calls may begin in a stretch of time: what rehearsals go by. */
  account: AccountLines | undefined;
  rate: CallRate | undefined;
  /** Secrets by the names that definitions give them, newest first. `read` @throws UnknownSecretError. */
  secrets: { read(name: string, actsFor: ActsFor): readonly string[] };
  /** What seals and opens sensitive values; absent: there is no key. */
  dataKeys?: DataKeys;
  /** Why requests to an address would be refused; undefined: they would not be, as far as is known now. */
  refusalOf: (url: string) => Promise<string | undefined>;
  /** Asks a scrubbing service about some numbers, once, and writes nothing down. */
  askScrubber: (
    service: { name: string; brand?: string | undefined; scrub: { url: string; secret: string } },
    phones: readonly string[],
  ) => Promise<ScrubAsking>;
  /** Sends a notice by the way of a route, once, and writes nothing down. */
  sendNotice: (route: RouteDefinition, notice: Notice) => Promise<NoticeSent>;
  /** Signs a request to a receiver that a definition names, and sends it once. */
  sendSigned: (
    to: { url: string | { secret: string }; secret: string },
    message: { id: string; body: string },
  ) => Promise<{ ok: true; answer: string } | { ok: false; error: string }>;
  /** What mails lack here; none where nothing is missing. */
  mailProblems: (isSenderSaid: boolean) => string[];
  /** How many deliveries one trigger takes a minute; of what comes from one address it is as much, for all of them. */
  deliveriesPerMinute: number;
  /** The tokens in the path of `/v1/hooks/platform/{token}` that are let in, newest first; none: the door is closed. */
  hookTokens: readonly string[];
  log: HttpLog;
  /** Begins spans of requests; absent: nothing is traced. */
  tracer?: Tracer | undefined;
  /** Told of each answer; absent: nobody watches. */
  onAnswered?: (answer: {
    method: string;
    route: string | undefined;
    status: number;
    tookMs: number;
  }) => void;
  /** What every request has to show; undefined: nobody is asked, and only this machine is served. */
  token: string | undefined;
  sessions: SessionSettings;
  /** By which people sign in; absent: there is none. */
  oidc?: { name: string; provider: SignInProvider; rights: RightsByClaims } | undefined;
  /** Where the build of the dashboard is, if there is one. */
  dashboardDir: string;
  /** What it speaks TLS with; absent: it does not. */
  tls?: TlsPair | undefined;
  /** Books what the platform dialed that the ledger does not know of, then lets dialing go on. */
  recover: (actor: string) => Promise<Recovered>;
  /** The platform's key, and rotating it. */
  keys: {
    status: () => Promise<KeyInUse>;
    /** Begins a rotation; returns why it can't be, where nothing has happened. */
    rotate: (input: { rotationId: string; graceHours: number; actor: string }) => Promise<string | undefined>;
  };
  /** Reads what the platform's account has, now, and has campaigns look again that wait for money. */
  lookAtBalance: () => Promise<BalanceSeen>;
  /** Looks at this process's own installation, as `outdial doctor` does. */
  examine: () => Promise<readonly ExaminedThing[]>;
  /** Looks for what has no end, now, and settles what it can. */
  sweep: () => Promise<SweepReport>;
}
