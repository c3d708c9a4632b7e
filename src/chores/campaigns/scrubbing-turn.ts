import type { ActivityDeps } from "../../activities/deps.ts";
import { MOST_ASKED, type ScrubFailure } from "../../domain/policy/scrubbing.ts";
import { tellCampaigns } from "../../ledger/campaigns/blacking-out.ts";
import { stopBatchesDialing } from "../../ledger/campaigns/batches.ts";
import { dueByAnswer, listScrubbed, numbersToAsk } from "../../ledger/campaigns/scrubbing.ts";
import { readSwitches } from "../../ledger/ground/installation.ts";
import {
  claimScrubber,
  recordAnswers,
  recordScrubFailure,
  releaseScrubber,
  type AskedSource,
} from "../../ledger/ground/scrub-answers.ts";
import { askScrubbingService, SCRUB_REQUEST_MS } from "../../outbound/scrubbing.ts";

/*
 * A turn of one scrubbing service: requests that follow each other, until there is nothing left to ask it or its time
 * is up.
 *
 * 1. Calls that were placed one by one, and those of sequences, go first: at its beginning, and again every few
 *    seconds. Somebody waits for them.
 * 2. The other campaigns take part one after the other, with as many numbers each as go into one request, whoever was
 *    asked about longest ago first. So none waits for all of a long list, however slow the service is.
 * 3. It ends within TURN_MS and one request, and the next goes on where it was.
 */

/** No request is begun after it: who came meanwhile is looked for by the next turn. */
const TURN_MS = 60_000;

/** Placed calls that came meanwhile are looked for so often, between two requests. */
const PLACED_LOOK_MS = 5_000;

/** Beyond a request, before somebody else may ask: its answer has to be written down. */
const CLAIM_MARGIN_MS = 30_000;

/** Numbers that were read and not asked about yet, of all campaigns: beyond it the next turn reads them. */
const MOST_KEPT = 50_000;

/** Of each campaign, in which turn it was asked about last. What is lost with the process costs a place in one turn. */
export type Visits = Map<string, number>;

interface Turn {
  deps: ActivityDeps;
  source: AskedSource;
  signal: AbortSignal;
  /** On the clock that nobody sets (performance.now). */
  endsAtMs: number;
  /** Nobody else asks it before. Undefined: it is not held, or left alone for longer. */
  heldUntilMs: number | undefined;
  visits: Visits;
  turnNo: number;
  placedLookedAtMs: number;
  /** To be asked about next, in their order, and whose contacts they are. */
  phones: Set<string>;
  campaignIds: Set<string>;
  /** Whom this turn has asked about: numbers of several campaigns are paid for once. */
  asked: Set<string>;
}

/** @param visits of earlier turns; this one writes its own down */
export async function takeTurn(
  deps: ActivityDeps,
  source: AskedSource,
  visits: Visits,
  signal: AbortSignal,
): Promise<void> {
  const campaigns = await listScrubbed(deps.ledger.db, source);
  const before = new Map(
    campaigns.flatMap(({ id, standing }) => (standing ? [] : [[id, visits.get(id) ?? 0] as const])),
  );
  visits.clear();
  for (const [id, turnNo] of before) visits.set(id, turnNo);
  const turn: Turn = {
    deps,
    source,
    signal,
    endsAtMs: performance.now() + TURN_MS,
    heldUntilMs: undefined,
    visits,
    turnNo: Math.max(0, ...before.values()) + 1,
    placedLookedAtMs: Number.NEGATIVE_INFINITY,
    phones: new Set(),
    campaignIds: new Set(),
    asked: new Set(),
  };
  const inTurn = [...before].toSorted(([, a], [, b]) => a - b).map(([id]) => id);
  if (await askPlaced(turn)) await goRound(turn, inTurn);
  if (turn.heldUntilMs !== undefined) await releaseScrubber(deps.ledger.db, source, turn.heldUntilMs);
}

/** Goes through campaigns again and again, a request's worth of each, until nothing is left or the time is up. */
async function goRound(turn: Turn, inTurn: readonly string[]): Promise<void> {
  const kept = new Map<string, readonly string[]>();
  let keptCount = 0;
  let round = inTurn;
  const ask = async () => (await askNext(turn)) && (await askPlaced(turn));
  while (round.length > 0) {
    const further: string[] = [];
    for (const id of round) {
      if (isOver(turn)) return;
      const rest = kept.get(id) ?? (await read(turn, id));
      if (kept.delete(id)) keptCount -= rest.length;
      if (rest.length === 0) turn.visits.set(id, turn.turnNo);
      gather(turn, id, rest.slice(0, MOST_ASKED));
      const later = rest.slice(MOST_ASKED);
      if (later.length > 0 && keptCount + later.length <= MOST_KEPT) {
        kept.set(id, later);
        keptCount += later.length;
        further.push(id);
      }
      // Where there are many campaigns of a few people each, neither these nor placed calls wait for all to be read.
      const isTime = isPlacedTime(turn);
      while (turn.phones.size >= (isTime ? 1 : MOST_ASKED)) if (!(await ask())) return;
      if (isTime && !(await askPlaced(turn))) return;
    }
    // Nobody comes to fill the last request.
    while (further.length === 0 && turn.phones.size > 0) if (!(await ask())) return;
    round = further;
  }
}

/** Asks about placed calls, if it is time to look for some. False where no further request is to be made now. */
async function askPlaced(turn: Turn): Promise<boolean> {
  if (!isPlacedTime(turn)) return true;
  turn.placedLookedAtMs = performance.now();
  const waiting = { phones: turn.phones, campaignIds: turn.campaignIds };
  turn.phones = new Set();
  turn.campaignIds = new Set();
  for (const { id, standing } of await listScrubbed(turn.deps.ledger.db, turn.source)) {
    if (standing) gather(turn, id, await read(turn, id));
    while (turn.phones.size >= MOST_ASKED) if (!(await askNext(turn))) return false;
  }
  const isSomebodyPlaced = turn.phones.size > 0;
  // What is left of their request is filled with those who waited.
  for (const phone of waiting.phones) turn.phones.add(phone);
  for (const id of waiting.campaignIds) turn.campaignIds.add(id);
  return !isSomebodyPlaced || askNext(turn);
}

function isPlacedTime({ placedLookedAtMs }: Turn): boolean {
  return performance.now() - placedLookedAtMs >= PLACED_LOOK_MS;
}

function isOver({ signal, endsAtMs }: Turn): boolean {
  return signal.aborted || performance.now() > endsAtMs;
}

function read({ deps, source }: Turn, campaignId: string): Promise<string[]> {
  return numbersToAsk(deps.ledger.db, { source, campaignId, nowMs: deps.now() });
}

function gather(turn: Turn, campaignId: string, phones: readonly string[]): void {
  if (phones.length === 0) return;
  turn.campaignIds.add(campaignId);
  for (const phone of phones) if (!turn.asked.has(phone)) turn.phones.add(phone);
}

/** One request about the next of those who were gathered. False where no further one is to be made now. */
async function askNext(turn: Turn): Promise<boolean> {
  const { deps, visits, turnNo } = turn;
  if (isOver(turn)) return false;
  const some = [...turn.phones].slice(0, MOST_ASKED);
  for (const phone of some) turn.phones.delete(phone);
  if (!(await askAbout(turn, some))) return false;
  for (const phone of some) turn.asked.add(phone);
  for (const campaignId of turn.campaignIds) {
    deps.wake.campaign(campaignId);
    if (visits.has(campaignId)) visits.set(campaignId, turnNo);
  }
  if (turn.phones.size === 0) turn.campaignIds.clear();
  return true;
}

/** One request, and what it came to, written down. False where no further one is to be made now. */
async function askAbout(turn: Turn, phones: readonly string[]): Promise<boolean> {
  const { deps, source, signal } = turn;
  const { ledger, now } = deps;
  const { stopped, recoveryReason } = await readSwitches(ledger.db);
  if (stopped !== undefined || recoveryReason !== undefined) return false;
  const askedAtMs = now();
  const untilMs = askedAtMs + SCRUB_REQUEST_MS + CLAIM_MARGIN_MS;
  const held = turn.heldUntilMs !== undefined;
  if (!(await claimScrubber(ledger.db, { source, held, untilMs, nowMs: askedAtMs }))) return false;
  turn.heldUntilMs = untilMs;
  const answer = await askScrubbingService(deps, source, phones, signal);
  if (answer.kind === "none") return false;
  if (answer.kind === "failed") {
    await noteFailure(deps, source, answer.failure);
    turn.heldUntilMs = undefined;
    return false;
  }
  const { reading } = answer;
  const nowMs = now();
  const isTaken = await ledger.transaction((tx) => recordAnswers(tx, { source, reading, askedAtMs, nowMs }));
  if (!isTaken) return false;
  const listed = [...reading.listed.keys()];
  if (listed.length > 0) {
    const { brand } = source;
    const stoppedIds = await stopBatchesDialing(ledger, { phones: listed, brand, nowMs });
    for (const batchId of stoppedIds) deps.wake.batch(batchId);
  }
  const answered = [...listed, ...reading.clear];
  for (const campaignId of await dueByAnswer(ledger, { phones: answered, nowMs }))
    deps.wake.campaign(campaignId);
  if (reading.missing.length > 0)
    deps.log.warn(
      { source: source.name, asked: phones.length, unanswered: reading.missing.length },
      "a scrubbing service said nothing of some numbers: they wait, and are asked about again",
    );
  return true;
}

async function noteFailure(deps: ActivityDeps, source: AskedSource, failure: ScrubFailure): Promise<void> {
  const { ledger, now } = deps;
  deps.log.warn({ source: source.name, why: failure.text }, "a scrubbing service could not be asked");
  const nowMs = now();
  const campaignIds = await ledger.transaction(async (tx) => {
    const noted = await recordScrubFailure(tx, { source, failure, nowMs });
    return noted?.begunAway === true ? tellCampaigns(tx, source.brand, nowMs) : [];
  });
  for (const campaignId of campaignIds) deps.wake.campaign(campaignId);
}
