import type { Client } from "@temporalio/client";
import { randomUUID } from "node:crypto";
import os from "node:os";

import type { ActivityDeps } from "../activities/deps.ts";
import { clockWatch, noteStepFailure, noteStepSuccess } from "../activities/ground/failing-steps.ts";
import { isClockRight, requireRightClock, WrongClockError } from "../activities/ground/clock-check.ts";
import { keepLinesFull } from "../activities/campaigns/offer-lines.ts";
import { createScrubbing } from "./campaigns/scrubbing.ts";
import { lookForDrift } from "./automations/drift.ts";
import { watchAutomations } from "./automations/watch.ts";
import { lookForInboundCalls } from "./triggers/inbound.ts";
import { lookAtCall } from "./triggers/look-at-call.ts";
import { peopleOfDelivery } from "./triggers/people-of-delivery.ts";
import { takeDelivery } from "./triggers/take-delivery.ts";
import { sweep } from "./recovery/sweep.ts";
import { watchAges } from "../ledger/ground/suppression-sources.ts";
import { removeAged } from "./people/age.ts";
import { forgetPeople } from "./people/forget.ts";
import { removeLeft, removeLeftHere } from "./people/remove-left.ts";
import { sealAnew, type Places } from "./keys/seal-anew.ts";
import { watchKey } from "./keys/watch.ts";
import { watchAgents } from "./campaigns/watch-agents.ts";
import { stallWatch } from "./campaigns/watch-stalls.ts";
import { watchMoney } from "./campaigns/watch-money.ts";
import { forgetOldEvents } from "./events/forget.ts";
import { removeOldSessions } from "./ground/end-sessions.ts";
import { startTurns, withinBound } from "./ground/turns.ts";
import { watchZoneData } from "./ground/watch-zone-data.ts";
import type { ZoneDataFacts } from "../domain/time/zone-age.ts";
import type { Step } from "../ledger/ground/failing-steps.ts";
import { readClock } from "../ledger/ground/clock.ts";
import { readInstallation } from "../ledger/ground/installation.ts";
import { holdLease } from "../ledger/ground/leases.ts";
import { maskPhone, PlatformError } from "../platform/index.ts";
import { scheduleKeeper } from "./schedules/schedule-keeping.ts";
import { advanceEnrolment, type EnrolmentStep } from "../activities/sequences/advance.ts";
import { whyNothingMoves } from "../temporal/why-not.ts";
import { lookBeforeDialing, startOverdueLooks } from "../temporal/overdue.ts";
import { createRelayHandlers } from "../temporal/relay-handlers.ts";
import { pacedBy, startRelay, STARTS_PER_SECOND, type Relay } from "../temporal/relay.ts";
import type { RelayHandlers } from "../temporal/relay-row.ts";

/*
 * What goes on beside dialing in processes that have Temporal: every one of them hands on what the outbox holds, and
 * looks what is overdue; one of all looks for what has no end, one for people who call back.
 */

/** A webhook that was lost is made up for within this. */
const INBOUND_EVERY_MS = 60_000;

/** Nobody waits for the sweeper: everything has its own clock, and this is for what those missed. */
const SWEEP_EVERY_MS = 5 * 60_000;

/** A schedule that would be decided late, or that somebody changed on the platform, is found within this. */
const SCHEDULES_EVERY_MS = 60_000;

/** A failed run of an automation is told within this: a request for each. */
const AUTOMATIONS_EVERY_MS = 60_000;

/** An automation that somebody changed on the platform is found within this: two requests for each. */
const AUTOMATION_DRIFT_EVERY_MS = 5 * 60_000;

/** Another version of an agent that is published is noticed within this: a request for each that is called with. */
const AGENTS_EVERY_MS = 60_000;

/** A campaign that does not go on is told within the minute: a probe of an index, and a small read. */
const STALLS_EVERY_MS = 10_000;

/** Keys end on a day that is known for months; people are told a month, a week and a day before. */
const KEY_EVERY_MS = 60 * 60_000;

/** What an older data key has sealed is sealed with the current one within minutes: a probe of an index for each. */
const DATA_KEYS_EVERY_MS = 60_000;

/** Zone data grows old by the day: a small query, and soon after a process that has newer data took over. */
const ZONE_DATA_EVERY_MS = 60 * 60_000;

/** Old events go by the hour: a read of some thousand by the key where none is old enough. */
const EVENTS_EVERY_MS = 60 * 60_000;

/** What is left of sessions that are over goes by the hour: they let nobody in meanwhile. A read of a small table. */
const SESSIONS_EVERY_MS = 60 * 60_000;

/** Lists grow old by days; what keeps campaigns from dialing is told within this: a small read. */
const LISTS_EVERY_MS = 60_000;

/** Whoever is due waits no longer than this to be asked about; while no service is set up, a small read. */
const SCRUBBING_EVERY_MS = 5_000;
/** What the platform's account has, and what calls cost, is known within this: two or three requests. */
const MONEY_EVERY_MS = 60_000;

/** Whoever asked to be forgotten is suppressed at once; the rest begins within this: while nobody asked, a small read. */
const FORGETTING_EVERY_MS = 10_000;

/** What was left in a folder that only this process sees goes within this: a small file, and a read. */
const LEFT_HERE_EVERY_MS = 60_000;

/** What is too old to be kept goes within the hour, and a long list of it soon: while nothing is, some small reads. */
const RETENTION_EVERY_MS = 10 * 60_000;

/** Lines that are idle while somebody waits are offered within this, should nobody have told of them: a query. */
const LINES_EVERY_MS = 2_000;

/** However fast a sandbox is, these are looks of a machine that has other things to do. */
const FASTEST_MS = 2_000;

export interface Chores {
  /** Hands on what the outbox holds, at once. */
  kick(): void;
  /** Takes nothing more and waits, within seconds, for what is under way. */
  stop(): Promise<void>;
}

/**
 * Starts them.
 *
 * @param deps its `outbox` may be this one's `kick`
 * @param settings.zones by which rules of time zones this process goes
 * @param settings.speed divides their paces, as it does the engine's
 * @param settings.sessionIdleMs after how long a session that nobody uses is over
 */
export async function startChores(
  deps: ActivityDeps,
  client: Client,
  { zones, speed, sessionIdleMs }: { zones: ZoneDataFacts; speed: number; sessionIdleMs: number },
): Promise<Chores> {
  const { ledger, log, now } = deps;
  const holder = `${os.hostname()}-${randomUUID()}`;
  // By the ledger's clock: one that is ahead would put off the others' looks.
  const aheadMs = ((await readClock(ledger.db)) ?? now()) - now();
  await lookBeforeDialing({ ledger, log, now: () => now() + aheadMs }, handlersOf(deps, client));
  const relay = relayOf(deps, client);
  const overdue = startOverdueLooks({
    client,
    ledger,
    kick: () => relay.kick(),
    isClockRight: clockWatch(deps),
    log,
    now,
  });
  const scrubbing = createScrubbing(deps);
  const { installationId } = await readInstallation(ledger.db);
  const watchStalls = stallWatch(deps, {
    whyNot: () => whyNothingMoves({ client, now }, installationId),
  });
  const sealing: Places = new Map();
  const chores: readonly Chore[] = [
    { name: "inbound calls", everyMs: INBOUND_EVERY_MS, perform: () => lookForInboundCalls(deps) },
    { name: "sweeper", everyMs: SWEEP_EVERY_MS, perform: () => sweep(deps) },
    { name: "platform key", everyMs: KEY_EVERY_MS, perform: () => watchKey(deps) },
    { name: "agents", everyMs: AGENTS_EVERY_MS, perform: () => watchAgents(deps) },
    { name: "zone data", everyMs: ZONE_DATA_EVERY_MS, perform: () => watchZoneData(deps, zones) },
    {
      name: "old sessions",
      everyMs: SESSIONS_EVERY_MS,
      perform: () => removeOldSessions({ ledger, sessionIdleMs, now }),
    },
    { name: "old events", everyMs: EVENTS_EVERY_MS, perform: () => forgetOldEvents(deps) },
    {
      name: "suppression lists",
      everyMs: LISTS_EVERY_MS,
      perform: () => ledger.transaction((tx) => watchAges(tx, now())),
    },
    { name: "scrubbing", everyMs: SCRUBBING_EVERY_MS, perform: () => scrubbing.begin() },
    { name: "stalled campaigns", everyMs: STALLS_EVERY_MS, perform: watchStalls },
    { name: "money", everyMs: MONEY_EVERY_MS, perform: () => watchMoney(deps) },
    { name: "schedules", everyMs: SCHEDULES_EVERY_MS, perform: () => scheduleKeeper(deps).pass() },
    { name: "automations", everyMs: AUTOMATIONS_EVERY_MS, perform: () => watchAutomations(deps) },
    { name: "forgetting people", everyMs: FORGETTING_EVERY_MS, perform: () => forgetPeople(deps) },
    { name: "data keys", everyMs: DATA_KEYS_EVERY_MS, perform: () => sealAnew(deps, sealing) },
    { name: "retention", everyMs: RETENTION_EVERY_MS, perform: () => removeAged(deps) },
    { name: "removals left", everyMs: RETENTION_EVERY_MS, perform: () => removeLeft(deps) },
    {
      name: "removals left here",
      everyMs: LEFT_HERE_EVERY_MS,
      perform: () => removeLeftHere(deps),
      isEverywhere: true,
    },
    { name: "automation drift", everyMs: AUTOMATION_DRIFT_EVERY_MS, perform: () => lookForDrift(deps) },
    ...(deps.account
      ? [{ name: "account lines", everyMs: LINES_EVERY_MS, perform: () => keepLinesFull(deps) }]
      : []),
  ];
  const begun = chores.map((chore) =>
    startChore(deps, holder, {
      ...chore,
      everyMs: Math.max(FASTEST_MS, chore.everyMs / speed),
    }),
  );
  return {
    kick: () => relay.kick(),
    async stop() {
      await Promise.all([
        withinBound(overdue.stop()),
        withinBound(scrubbing.stop()),
        relay.stop(),
        ...begun.map((chore) => chore.stop()),
      ]);
    },
  };
}

/**
 * Hands on what the outbox holds, from now on.
 *
 * @param bulkPerSecond how many of a list are started a second; absent: what a development server bears
 */
export function relayOf(deps: ActivityDeps, client: Client, bulkPerSecond?: number): Relay {
  return startRelay({
    ledger: deps.ledger,
    handlers: handlersOf(deps, client, bulkPerSecond),
    peopleOf: (deliveryId) => peopleOfDelivery(deps, deliveryId),
    isPlatformAway,
    isClockRight: () => isClockRight(deps),
    tracer: deps.tracer,
    log: deps.log,
    now: deps.now,
    ...(bulkPerSecond !== undefined && { bulkPerSecond }),
  });
}

function handlersOf(deps: ActivityDeps, client: Client, bulkPerSecond = STARTS_PER_SECOND): RelayHandlers {
  const keeper = scheduleKeeper(deps);
  return createRelayHandlers({
    client,
    ledger: deps.ledger,
    takeTurn: (enrolmentId) => takeTurn(deps, enrolmentId),
    paceStart: pacedBy(bulkPerSecond, deps.now),
    maskPhone,
    takeDelivery: (deliveryId) => takeDelivery(deps, { deliveryId }),
    lookAtCall: (callId) => lookAtCall(deps, { callId }),
    keepOnPlatform: (scheduleId) => keeper.keep(scheduleId),
    log: deps.log,
    now: deps.now,
  });
}

/** A turn that fails is counted as one that a workflow takes: it goes before people where it goes on. */
async function takeTurn(deps: ActivityDeps, enrolmentId: string): Promise<EnrolmentStep> {
  const step: Step = { of: "enrolment", id: enrolmentId, verb: "advance" };
  try {
    await requireRightClock(deps);
    const taken = await advanceEnrolment(deps, { enrolmentId });
    await noteStepSuccess(deps, step, { asked: false });
    return taken;
  } catch (error) {
    await noteStepFailure(deps, step, error);
    throw error;
  }
}

/**
 * A refused key or an unpaid bill concerns every row alike, as a wrong clock does, and people mend it; a wrong request is
 * its row's.
 */
function isPlatformAway(error: unknown): boolean {
  if (error instanceof WrongClockError) return true;
  return error instanceof PlatformError && error.status !== 400 && error.status !== 422;
}

export interface Chore {
  name: string;
  everyMs: number;
  /** Safe to repeat, and to be done by two. */
  perform: () => Promise<unknown>;
  /** Every process does it for itself. */
  isEverywhere?: boolean;
}

/** Does something every so often in whichever process holds its lease, or in each, one turn after the other. */
export function startChore(
  deps: ActivityDeps,
  holder: string,
  { name, everyMs, perform, isEverywhere = false }: Chore,
): { stop(): Promise<void> } {
  const { ledger, log } = deps;
  const step: Step = { of: "chore", id: name, verb: "do" };
  const turn = async () => {
    try {
      // A lease would hold for longer than its holder lives. The looks at what is overdue tell of a clock that is wrong.
      if (!isEverywhere && !(await isClockRight(deps))) return;
      // A holder that died is replaced when two of its turns were missed.
      const lease = { name, holder, termMs: 2.5 * everyMs, nowMs: Date.now() };
      const mine = isEverywhere || (await holdLease(ledger.db, lease));
      if (!mine) return;
      await perform();
      await noteStepSuccess(deps, step, { asked: false });
    } catch (error) {
      log.warn({ chore: name, error: String(error) }, "a chore could not be done; its next turn will");
      await noteStepFailure(deps, step, error);
    }
  };
  return startTurns({ everyMs, turn });
}
