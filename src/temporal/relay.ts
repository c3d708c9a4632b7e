import { setTimeout as delay } from "node:timers/promises";

import { claimDeliveries, isOfMany } from "../ledger/triggers/delivery-order.ts";
import {
  claimOutbox,
  dueKinds,
  renewOutbox,
  type Claimed,
  type OutboxKind,
} from "../ledger/ground/outbox.ts";
import { createPeopleReader, type PeopleInput } from "./relay-people.ts";
import { workOff, type Rest, type RowInput } from "./relay-row.ts";

/*
 * Hands on what the outbox holds (ledger/ground/outbox.ts), in every process that has Temporal.
 *
 * 1. It looks when it is kicked, and by itself at a steady pace: a lost kick costs seconds and nothing else.
 * 2. Kinds have lanes of their own. What is down for one lane (Temporal, the platform) holds no other one up, and
 *    ten thousand of a list hold up nobody who came through a trigger.
 * 3. While a port is away, its lane rests and its rows stay as they are: nothing counts against them. A row that
 *    fails by itself is tried less and less often, comes before a person in the end, and is never dropped (I5).
 */

export interface RelayInput extends RowInput, PeopleInput {
  /** Workflows of a paced lane that are started in a second. */
  bulkPerSecond?: number;
  /** Nothing is claimed where it is not: until when, others would hold against their clocks. Absent: it is right. */
  isClockRight?: () => Promise<boolean>;
  /** How soon the deliveries of a process that died are taken over; absent: in some seconds. */
  takeOverMs?: number;
}

export interface Relay {
  /** Looks at once. Never needed, and cheap: kicks during a look are one more look. */
  kick(): void;
  /** Takes nothing more and waits, within seconds, for what is under way. What is not done then comes back. */
  stop(): Promise<void>;
}

/** Without a kick: what another process wrote waits this long at most. */
const IDLE_LOOK_MS = 2_000;

/** While the ledger does not answer. */
const LEDGER_AWAY_MS = 2_000;

/**
 * New workflows of a list, and of calls that end: less than half of what a development server takes (some 30 to 60
 * starts a second), so that planning and settling go on beside it.
 */
export const STARTS_PER_SECOND = 25;

interface LaneSpec {
  kinds: readonly OutboxKind[];
  /** In hand at once. */
  atOnce: number;
  /** A process that dies with a row in its hands gives it back after this. Longer than its handler takes. */
  leaseMs: number;
  paced?: true;
  /** In the order of acceptance for each person; this many of those in hand may be of many people. */
  ofManyAtOnce?: number;
}

const LANES: readonly LaneSpec[] = [
  // Requests to Temporal, each with a deadline of 5 seconds (relay-handlers.ts).
  { kinds: ["campaign", "batch"], atOnce: 16, leaseMs: 15_000 },
  // A transaction of the ledger each, and such a request where it leaves something to be tried. Whoever came through a
  // trigger stands behind none who wake up, and these behind none of a list. Each has a connection while it lasts.
  // Together they leave planning some of a pool of ten. A turn of many steps, or one that stops a call, takes longer.
  { kinds: ["enrolment"], atOnce: 4, leaseMs: 60_000 },
  { kinds: ["enrolment_due"], atOnce: 2, leaseMs: 60_000 },
  { kinds: ["enrolment_bulk"], atOnce: 2, leaseMs: 60_000 },
  // The same; thousands of calls may end at once, and somebody who came through a trigger is called in seconds.
  { kinds: ["follow_up"], atOnce: 8, leaseMs: 15_000, paced: true },
  { kinds: ["follow_up_due"], atOnce: 4, leaseMs: 15_000, paced: true },
  { kinds: ["schedule_run", "automation", "key_rotation"], atOnce: 4, leaseMs: 15_000 },
  // Transactions of the ledger, for each person in the order of acceptance. A short lease that is renewed: whoever is
  // told of the same person waits for it where a process died. A list of five hundred takes some seconds.
  { kinds: ["delivery"], atOnce: 6, leaseMs: 6_000, ofManyAtOnce: 2 },
  // A request or two to Temporal or to the platform, which may take half a minute.
  { kinds: ["schedule"], atOnce: 4, leaseMs: 60_000 },
  // A request to the platform each, which may take half a minute.
  { kinds: ["call_hint"], atOnce: 4, leaseMs: 60_000 },
];

/** Handed on by one, a paced lane would look for each: it gathers this many. */
const PACED_AT_LEAST = 5;

/** Handlers end within their own bounds; a stop does not wait for the longest. */
const STOP_BOUND_MS = 5_000;

interface Lane extends LaneSpec, Rest {
  inHand: Map<Promise<void>, Claimed>;
  /** The last claim left rows behind: room means another look. */
  hungry: boolean;
  tokens: number;
  tokensAtMs: number;
}

/** Starts to hand on what is due, until it is stopped. */
export function startRelay(input: RelayInput): Relay {
  const { ledger, log, now, isClockRight = async () => true } = input;
  const perSecond = input.bulkPerSecond ?? STARTS_PER_SECOND;
  const lanes = LANES.map((spec): Lane => ({
    ...spec,
    ...(spec.ofManyAtOnce !== undefined && { leaseMs: input.takeOverMs ?? spec.leaseMs }),
    inHand: new Map(),
    hungry: false,
    restMs: 0,
    restsUntilMs: 0,
    tokens: 0,
    tokensAtMs: now(),
  }));
  let stopped = false;
  let kicked = false;
  let endPause = () => {};

  const kick = () => {
    kicked = true;
    endPause();
  };

  /** Rows that were put off for less than the next look are due before it. */
  const kickAt = (untilMs: number) => {
    const inMs = untilMs - now();
    if (inMs < IDLE_LOOK_MS) setTimeout(kick, Math.max(0, inMs)).unref();
  };

  const pause = (waitMs: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const handOn = (lane: Lane, row: Claimed) => {
    const work = async () => {
      const dueMs = await workOff(input, lane, row);
      if (dueMs !== undefined) kickAt(dueMs);
    };
    const done = work().finally(() => {
      lane.inHand.delete(done);
      // Somebody may have waited for this very delivery.
      const isAwaited = lane.ofManyAtOnce !== undefined;
      if (isAwaited || (lane.hungry && !lane.paced && lane.inHand.size <= lane.atOnce / 2)) kick();
    });
    lane.inHand.set(done, row);
  };

  const people = createPeopleReader(input, kick);

  /** Deliveries in hand stay there for as long as this process lives. */
  const renew = async (lane: Lane) => {
    const claimed = [...lane.inHand.values()];
    if (claimed.length === 0) return;
    try {
      await renewOutbox(ledger.db, claimed, { leaseMs: lane.leaseMs, nowMs: now() });
    } catch (error) {
      log.warn({ error: String(error) }, "deliveries in hand could not be kept; others may take them over");
    }
  };
  const renewing = lanes
    .filter((lane) => lane.ofManyAtOnce !== undefined)
    .map((lane) => setInterval(() => void renew(lane), lane.leaseMs / 3));

  const claimFor = async (lane: Lane, kinds: readonly OutboxKind[], room: number): Promise<Claimed[]> => {
    const input = { leaseMs: lane.leaseMs, nowMs: now() };
    if (lane.ofManyAtOnce === undefined) return claimOutbox(ledger.db, { ...input, kinds, limit: room });
    people.look();
    const ofMany = [...lane.inHand.values()].filter(isOfMany).length;
    const many = Math.min(room, lane.ofManyAtOnce - ofMany);
    return claimDeliveries(ledger.db, { ...input, few: room, many });
  };

  /** Claims for every lane that has room and rows. Returns when to look again without a kick. */
  const look = async (): Promise<number> => {
    const due = new Set(await dueKinds(ledger.db, now()));
    let waitMs = IDLE_LOOK_MS;
    for (const lane of lanes) {
      const kinds = lane.kinds.filter((kind) => due.has(kind));
      lane.hungry = false;
      if (kinds.length === 0 || stopped) continue;
      const { room, inMs } = roomOf(lane, perSecond, now());
      if (room === 0) {
        lane.hungry = true;
        waitMs = Math.min(waitMs, inMs);
        continue;
      }
      const claimed = await claimFor(lane, kinds, room);
      lane.tokens -= claimed.length;
      lane.hungry = claimed.length >= room;
      if (lane.hungry && lane.paced) waitMs = Math.min(waitMs, roomOf(lane, perSecond, now()).inMs);
      for (const row of claimed) {
        handOn(lane, row);
      }
    }
    return waitMs;
  };

  const run = async () => {
    for (;;) {
      if (stopped) return;
      kicked = false;
      let waitMs: number;
      try {
        waitMs = (await isClockRight()) ? await look() : IDLE_LOOK_MS;
      } catch (error) {
        log.warn({ error: String(error) }, "the outbox could not be read; it will be looked at again");
        waitMs = LEDGER_AWAY_MS;
        kicked = false;
      }
      if (!kicked) await pause(waitMs);
    }
  };
  const ended = run();

  return {
    kick,
    async stop() {
      stopped = true;
      kick();
      await ended;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, STOP_BOUND_MS);
      });
      await Promise.race([
        Promise.all([people.ended(), ...lanes.flatMap((lane) => [...lane.inHand.keys()])]),
        late,
      ]);
      clearTimeout(timer);
      for (const timer of renewing) clearInterval(timer);
    },
  };
}

/** Lets so many through in a second, one after the other. */
export function pacedBy(perSecond: number, now: () => number): () => Promise<void> {
  const betweenMs = 1_000 / perSecond;
  let nextMs = 0;
  return async () => {
    const nowMs = now();
    // A clock that was set back lets nobody wait for where it was.
    const turnMs = Math.max(nowMs, Math.min(nextMs, nowMs + LONGEST_PACE_MS));
    nextMs = turnMs + betweenMs;
    if (turnMs > nowMs) await delay(turnMs - nowMs);
  };
}

/** Less than a lease, for as many as a lane has in hand. */
const LONGEST_PACE_MS = 5_000;

/** How many rows a lane may take now, and where none, when it is worth asking again. */
function roomOf(lane: Lane, perSecond: number, nowMs: number): { room: number; inMs: number } {
  // A clock that was set back makes no rest longer.
  const leftMs = lane.restsUntilMs - nowMs;
  if (leftMs > 0 && leftMs <= lane.restMs) return { room: 0, inMs: leftMs };
  const free = lane.atOnce - lane.inHand.size;
  // After a rest, one goes first.
  const room = lane.restMs > 0 ? Math.min(1, free) : free;
  if (!lane.paced) return { room, inMs: IDLE_LOOK_MS };
  // A clock that was set back gives none and takes none.
  const elapsedMs = Math.max(0, nowMs - lane.tokensAtMs);
  lane.tokensAtMs = nowMs;
  lane.tokens = Math.min(PACED_AT_LEAST, lane.tokens + (elapsedMs * perSecond) / 1_000);
  const inMs = Math.ceil(((PACED_AT_LEAST - lane.tokens) * 1_000) / perSecond);
  if (lane.tokens < PACED_AT_LEAST) return { room: 0, inMs: Math.max(inMs, 10) };
  return { room: Math.min(room, PACED_AT_LEAST), inMs: Math.ceil((PACED_AT_LEAST * 1_000) / perSecond) };
}
