import type { Client } from "@temporalio/client";

import type { Notice } from "../domain/notices/notice.ts";
import type { RouteDefinition } from "../domain/notices/route.ts";
import type { NoticeSent } from "../domain/notices/sent.ts";
import type { ScrubAsking } from "../domain/policy/scrubbing.ts";
import type { ZoneDataFacts } from "../domain/time/zone-age.ts";
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

/** What the HTTP API stands on. */
export interface HttpDeps extends CommandPorts {
  client: Client;
  platform: Platform;
  /** Where that platform is. */
  platformUrl: string;
  /** By which rules of time zones this process goes. */
  zones: ZoneDataFacts;
  /** Secrets by the names that definitions give them, newest first. `read` @throws UnknownSecretError. */
  secrets: { read(name: string): readonly string[] };
  /** Why requests to an address would be refused; undefined: they would not be, as far as is known now. */
  refusalOf: (url: string) => Promise<string | undefined>;
  /** Asks a scrubbing service about some numbers, once, and writes nothing down. */
  askScrubber: (
    service: { name: string; brand?: string | undefined; scrub: { url: string; secret: string } },
    phones: readonly string[],
  ) => Promise<ScrubAsking>;
  /** Sends a notice by the way of a route, once, and writes nothing down. */
  sendNotice: (route: RouteDefinition, notice: Notice) => Promise<NoticeSent>;
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
  /** Looks for what has no end, now, and settles what it can. */
  sweep: () => Promise<SweepReport>;
}
