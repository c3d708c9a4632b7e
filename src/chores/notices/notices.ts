import { wayOf, type RouteWay } from "../../domain/notices/route.ts";
import { elapsedMs } from "../../domain/time/elapsed.ts";
import type { Ledger } from "../../ledger/ground/connection.ts";
import { takePass } from "../../ledger/ground/passes.ts";
import { lookAtEntries, noticesDue } from "../../ledger/notices/entries.ts";
import { forgetTold } from "../../ledger/notices/routes.ts";
import { beginSending, dueRoutes, endSending } from "../../ledger/notices/sending.ts";
import { NOTICE_BUSY_MS, sendNotice, type NoticePorts } from "../../outbound/notices.ts";
import { maskText } from "../../platform/index.ts";
import { createOneEach, startTurns } from "../ground/turns.ts";

/*
 * What waits for people goes to them from here: in every process, with Temporal or without. While nothing is due it is
 * two probes of indexes. Every process may do all of it: rows that it locks, and a route's own time, keep two of them
 * from sending the same.
 */

/** Somebody waits for it: people are told within seconds. */
const EVERY_MS = 5_000;
/** However fast a sandbox is. */
const FASTEST_MS = 500;

/** Two messages of a route are so far apart: what comes meanwhile is gathered in one. */
const SPACING_MS: Readonly<Record<RouteWay, number>> = { webhook: 10_000, slack: 10_000, email: 60_000 };

const FORGET_EVERY_MS = 3_600_000;

export interface NoticeDeps extends NoticePorts {
  ledger: Ledger;
  log: { warn(fields: object, message: string): void };
}

export interface Notices {
  /** One pass now: decides what is to be told, and begins to send it. */
  pass(): Promise<void>;
  /** Waits until what is being sent has ended. */
  readonly settled: () => Promise<unknown>;
}

/** @param speed divides the distance of messages, as it does the engine's waits */
export function createNotices(deps: NoticeDeps, speed: number): Notices {
  const { ledger, log, now } = deps;
  const send = async (routeId: number) => {
    const sent = await beginSending(ledger, {
      routeId,
      busyMs: NOTICE_BUSY_MS,
      masked: maskText,
      nowMs: now(),
    });
    if (!sent) return;
    const { definition } = sent.route;
    const end = await sendNotice(deps, definition, sent.message.notice);
    if (!end.ok) log.warn({ route: sent.route.name, error: end.error }, "a notice was not delivered");
    const spacingMs = SPACING_MS[wayOf(definition)] / speed;
    await endSending(ledger, { sent, end, spacingMs, nowMs: now() });
  };
  const sending = createOneEach(send, (error) => {
    log.warn({ error: String(error) }, "a notice could not be sent; it is again");
  });

  return {
    async pass() {
      const due = await noticesDue(ledger.db, now());
      if (due.areEntries) await lookAtEntries(ledger, now);
      if (due.areEntries || due.areRoutes)
        for (const routeId of await dueRoutes(ledger.db, now())) sending.begin(routeId);
    },
    settled: sending.settled,
  };
}

/** Tells people of what waits for them, from now on. */
export function startNotices(deps: NoticeDeps, speed: number): { stop(): Promise<void> } {
  const { ledger, log, now } = deps;
  const notices = createNotices(deps, speed);
  let forgotAtMs = now();
  const turn = async () => {
    try {
      await notices.pass();
      if (elapsedMs(now(), forgotAtMs) < FORGET_EVERY_MS) return;
      forgotAtMs = now();
      if (await takePass(ledger.db, { name: "notices", everyMs: FORGET_EVERY_MS, nowMs: now() }))
        await forgetTold(ledger, now());
    } catch (error) {
      log.warn({ error: String(error) }, "what waits for people could not be read; it is again");
    }
  };
  const everyMs = Math.max(FASTEST_MS, EVERY_MS / speed);
  return startTurns({ everyMs, turn, settled: notices.settled });
}
