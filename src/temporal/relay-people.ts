import { takeUnread, writePeople, type Unread } from "../ledger/triggers/delivery-order.ts";
import { failOutbox } from "../ledger/ground/outbox.ts";
import { isAway, type RowInput } from "./relay-row.ts";

/** Whom a delivery is about: numbers that are the same for the same person. */
type PeopleOf = (deliveryId: string) => Promise<readonly number[]>;

export interface PeopleInput extends Pick<RowInput, "ledger" | "log" | "now"> {
  peopleOf: PeopleOf;
}

/** Written down together: what waits for the first of them waits for all. */
const READ_AT_ONCE = 10;

/** A ledger that went away while a delivery was read is asked again after this. */
const AWAY_MS = 500;

/**
 * Reads whom new deliveries are about, beside everything else that the relay does: nothing that was accepted after
 * them can be taken before that.
 */
export function createPeopleReader(
  { ledger, peopleOf, log, now }: PeopleInput,
  kick: () => void,
): { look(): void; ended(): Promise<void> } {
  let underWay: Promise<void> | undefined;

  const read = async (unread: Unread): Promise<{ id: number; people: readonly number[] } | undefined> => {
    const { id, subject } = unread;
    try {
      return { id, people: await peopleOf(subject) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      log.warn({ delivery: subject, error: message }, "whom a delivery is about could not be read");
      // Nothing can be done for it either: whoever tries says so.
      if (!isAway(error)) return { id, people: [] };
      const nowMs = now();
      await failOutbox(ledger.db, unread, { error: message, untilMs: nowMs + AWAY_MS, counts: false, nowMs });
      return undefined;
    }
  };

  const readAll = async () => {
    try {
      for (;;) {
        const unread = await takeUnread(ledger.db, { limit: READ_AT_ONCE, nowMs: now() });
        const found = [];
        for (const one of unread) {
          const people = await read(one);
          // In order: what comes after it can't be taken before it anyway.
          if (!people) break;
          found.push(people);
        }
        await writePeople(ledger.db, found);
        if (found.length > 0) kick();
        if (found.length < READ_AT_ONCE) return;
      }
    } catch (error) {
      log.warn({ error: String(error) }, "new deliveries could not be read; they will be again");
    }
  };

  return {
    look() {
      underWay ??= readAll().finally(() => {
        underWay = undefined;
      });
    },
    ended: async () => underWay,
  };
}
