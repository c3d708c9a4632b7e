import { createHash } from "node:crypto";

import { isSent, type EventWebhookDefinition } from "../../domain/events/webhook.ts";
import { elapsedMs } from "../../domain/time/elapsed.ts";
import { cursorText, eventDocument } from "../../ledger/events/event-document.ts";
import {
  isBefore,
  MOST_AT_ONCE,
  placeOf,
  readEvents,
  type LedgerEvent,
  type Place,
} from "../../ledger/events/events.ts";
import {
  definitionOf,
  dueWebhook,
  dueWebhooks,
  noteNotTaken,
  noteTaken,
  passOver,
  placeInHand,
  placeReached,
  skipForgotten,
  takeInHand,
  typesOf,
  type StoredWebhook,
} from "../../ledger/events/webhooks.ts";
import type { Ledger } from "../../ledger/ground/connection.ts";
import { createOneEach, startTurns } from "../ground/turns.ts";
import { SIGNED_BUSY_MS, sendSigned, type SigningPorts } from "../../outbound/signed.ts";

/*
 * What happened goes to webhooks from here, in every process. A look is a probe of an index, and one read of the feed for
 * all webhooks that stand at the same place, which those are that have caught up. What one is not sent is passed over in
 * memory, and written down now and then.
 */

/** Events of one request. */
const MOST_EVENTS = 100;
/** Its body: receivers and what stands before them take a megabyte. */
const MOST_BYTES = 256 * 1024;

const EVERY_MS = 2_000;
/** However fast a sandbox is. */
const FASTEST_MS = 500;

/** A webhook has so many requests one after the other; then others have their turn. */
const MOST_REQUESTS_A_TURN = 50;

/** What was only passed over is written down this often: a place must not grow as old as what is forgotten. */
const WRITTEN_EVERY_MS = 3_600_000;

export interface EventWebhookDeps extends SigningPorts {
  ledger: Ledger;
  log: { warn(fields: object, message: string): void };
}

export interface EventWebhooks {
  /** One pass now: looks for what is to be sent, and begins to send it. */
  pass(): Promise<void>;
  /** Waits until what is being sent has ended. */
  readonly settled: () => Promise<unknown>;
}

/** How far one was looked through, from a place that is written down. */
interface Looked {
  from: Place;
  through: Place;
  writtenAtMs: number;
}

export function createEventWebhooks(deps: EventWebhookDeps): EventWebhooks {
  const { ledger, log, now } = deps;
  const looked = new Map<number, Looked>();

  const beginOf = (webhook: StoredWebhook): Place => {
    const known = looked.get(webhook.id);
    const reached = placeReached(webhook);
    return known !== undefined && isSame(known.from, reached) ? known.through : reached;
  };

  const pass = async (webhook: StoredWebhook, through: Place, isMuch: boolean) => {
    const reached = placeReached(webhook);
    const known = looked.get(webhook.id);
    const writtenAtMs = known && isSame(known.from, reached) ? known.writtenAtMs : now();
    if (!isMuch && elapsedMs(now(), writtenAtMs) < WRITTEN_EVERY_MS) {
      looked.set(webhook.id, { from: reached, through, writtenAtMs });
      return;
    }
    await passOver(ledger.db, { webhook, through });
    looked.delete(webhook.id);
  };

  const turn = async (id: number) => {
    for (let requests = 0; requests < MOST_REQUESTS_A_TURN; requests += 1) {
      const webhook = await dueWebhook(ledger.db, id, now());
      const definition = webhook && definitionOf(webhook);
      if (!webhook || !definition) return;
      if (await skipForgotten(ledger.db, webhook)) {
        log.warn({ webhook: webhook.name }, "events were forgotten before a webhook could be sent them");
        continue;
      }
      const inHand = placeInHand(webhook);
      const after = inHand ? placeReached(webhook) : beginOf(webhook);
      const found = await readEvents(ledger.db, {
        after,
        types: typesOf([definition]),
        limit: MOST_AT_ONCE,
      });
      const batch = batchOf(definition, found, inHand);
      if (batch.events.length === 0 && !inHand) {
        if (found.length === 0) return;
        await pass(webhook, batch.through, found.length === MOST_AT_ONCE);
        if (found.length < MOST_AT_ONCE) return;
        continue;
      }
      if (!(await send(webhook, definition, { ...batch, after }))) return;
    }
  };

  /** @returns whether it was taken, and there may be more */
  const send = async (webhook: StoredWebhook, definition: EventWebhookDefinition, batch: Taken) => {
    const { after, through } = batch;
    const taking = { webhook, after, through, busyMs: SIGNED_BUSY_MS, nowMs: now() };
    if (!(await takeInHand(ledger.db, taking))) return false;
    const sent = await sendSigned(deps, definition.to.webhook, {
      id: idOf(webhook, batch),
      body: bodyOf(webhook.name, batch.events),
    });
    looked.delete(webhook.id);
    if (sent.ok) {
      await ledger.transaction((tx) => noteTaken(tx, { webhook, through, nowMs: now() }));
      return true;
    }
    log.warn({ webhook: webhook.name, error: sent.error }, "a webhook did not take its events");
    const { error, atLeastMs, status } = sent;
    const isGone = status === 410;
    await ledger.transaction((tx) =>
      noteNotTaken(tx, { webhook, through, error, atLeastMs, isGone, nowMs: now() }),
    );
    return false;
  };

  const sending = createOneEach(turn, (error) => {
    log.warn({ error: String(error) }, "a webhook's events could not be sent; they are again");
  });

  return {
    async pass() {
      const due = (await dueWebhooks(ledger.db, now())).filter(({ id }) => !sending.isUnderWay(id));
      const groups = new Map<string, StoredWebhook[]>();
      for (const webhook of due) {
        if (placeInHand(webhook)) {
          sending.begin(webhook.id);
          continue;
        }
        const key = beginOf(webhook).join();
        groups.set(key, [...(groups.get(key) ?? []), webhook]);
      }
      for (const group of groups.values()) {
        const [first] = group;
        if (!first) continue;
        const definitions = group.flatMap((one) => definitionOf(one) ?? []);
        if (definitions.length === 0) continue;
        const after = beginOf(first);
        const found = await readEvents(ledger.db, {
          after,
          types: typesOf(definitions),
          limit: MOST_AT_ONCE,
        });
        const last = found.at(-1);
        if (last === undefined) continue;
        for (const webhook of group) {
          const definition = definitionOf(webhook);
          if (!definition) continue;
          if (found.some((event) => isSent(definition, event)) || found.length === MOST_AT_ONCE)
            sending.begin(webhook.id);
          else await pass(webhook, placeOf(last), false);
        }
      }
    },
    settled: sending.settled,
  };
}

interface Batch {
  events: LedgerEvent[];
  through: Place;
}

interface Taken extends Batch {
  after: Place;
}

/** What one request holds: up to what is in hand where something is, else as much as it takes. */
function batchOf(
  definition: EventWebhookDefinition,
  found: readonly LedgerEvent[],
  inHand: Place | undefined,
): Batch {
  const events: LedgerEvent[] = [];
  let bytes = 0;
  let through: Place = inHand ?? [0, 0, 0];
  for (const event of found) {
    const place = placeOf(event);
    if (inHand && isBefore(inHand, place)) break;
    if (isSent(definition, event)) {
      const size = JSON.stringify(event.data).length + 300;
      // What is in hand was as much as it takes when that was decided.
      if (!inHand && events.length > 0 && (events.length === MOST_EVENTS || bytes + size > MOST_BYTES)) break;
      events.push(event);
      bytes += size;
    }
    if (!inHand) through = place;
  }
  return { events, through };
}

function isSame(a: Place, b: Place): boolean {
  return a.every((part, index) => part === b[index]);
}

/** The same in every try, and for nothing else. */
function idOf({ id, changedAtMs }: StoredWebhook, { after, through }: Taken): string {
  const told = [id, changedAtMs, ...after, ...through].join(" ");
  return `evt_${createHash("sha256").update(told).digest("hex").slice(0, 32)}`;
}

function bodyOf(webhook: string, events: readonly LedgerEvent[]): string {
  const last = events.at(-1);
  return JSON.stringify({
    type: "events",
    timestamp: new Date(last?.atMs ?? 0).toISOString(),
    data: {
      webhook,
      events: events.map(eventDocument),
      next_after: last === undefined ? null : cursorText(placeOf(last)),
    },
  });
}

/** Sends webhooks what happens, from now on. @param speed divides the distance of looks */
export function startEventWebhooks(deps: EventWebhookDeps, speed: number): { stop(): Promise<void> } {
  const webhooks = createEventWebhooks(deps);
  const turn = async () => {
    try {
      await webhooks.pass();
    } catch (error) {
      deps.log.warn({ error: String(error) }, "what webhooks are to be sent could not be read; it is again");
    }
  };
  const everyMs = Math.max(FASTEST_MS, EVERY_MS / speed);
  return startTurns({ everyMs, turn, settled: webhooks.settled });
}
