import { sql } from "drizzle-orm";

import { createNotices, type NoticeDeps } from "../../../src/chores/notices/notices.ts";
import { UnknownSecretError } from "../../../src/domain/ground/secrets.ts";
import { readRoute } from "../../../src/domain/notices/route.ts";
import {
  acknowledgeAttention,
  listAttention,
  raiseAttention,
  resolveAttention,
  resolveAttentionById,
  type Attention,
  type RaisedAttention,
} from "../../../src/ledger/ground/attention.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { findRoute, putRoute } from "../../../src/ledger/notices/routes.ts";
import { createOutbound } from "../../../src/outbound/client.ts";
import type { SmtpServer } from "../../../src/outbound/mail.ts";
import { given } from "../../support/ledgers.ts";
import type { Receiver } from "../../support/receiver.ts";

export const NOW_MS = Date.parse("2026-03-02T12:00:00Z");
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

export const SIGNING = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** An entry as a webhook tells it. */
export interface ToldEntry {
  word: string;
  id: number;
  kind: string;
  subject: string;
  brand: string;
  summary: string;
  remedy: string;
  since: string;
  times: number;
  acknowledged_by: string | null;
}

interface Body {
  id: string;
  type: string;
  data: {
    route: string;
    total: number;
    counts: { word: string; kind: string; n: number }[];
    entries: ToldEntry[];
  };
}

export const bodyOf = (receiver: Receiver, nth: number): Body => {
  const body: Body = JSON.parse(given(receiver.received.at(nth)).body);
  return body;
};

/** `word kind subject` of everything that came, a list for each message. */
export const wordsOf = (receiver: Receiver): string[][] =>
  receiver.received.map((_, nth) =>
    bodyOf(receiver, nth).data.entries.map(({ word, kind, subject }) => `${word} ${kind} ${subject}`),
  );

/** What tells people, over a ledger, by a clock that the test moves. */
export function noticesOver(
  ledger: Ledger,
  {
    smtp = { url: undefined, from: undefined },
    ...changes
  }: Partial<NoticeDeps> & { smtp?: SmtpServer } = {},
) {
  const clock = { ms: NOW_MS };
  const secrets = new Map([["alerts", [SIGNING]]]);
  const outbound = createOutbound({ allow: ["127.0.0.1"] });
  const deps: NoticeDeps = {
    ledger,
    outbound,
    secrets: {
      read(name) {
        const values = secrets.get(name);
        if (!values) throw new UnknownSecretError(name, `there is no secret "${name}"`);
        return values;
      },
    },
    smtp,
    now: () => clock.ms,
    log: { warn: () => {} },
    ...changes,
  };
  const notices = createNotices(deps, 1);
  const pass = async () => {
    await notices.pass();
    await notices.settled();
  };
  return {
    clock,
    secrets,
    deps,
    /** What happens now. */
    pass,
    /** Another process begins to send, asks its receiver, and dies before that answers. */
    beginAndDie: () =>
      new Promise<void>((resolve) => {
        const request = () => {
          resolve();
          return new Promise<never>(() => {});
        };
        void createNotices({ ...deps, outbound: { ...outbound, request } }, 1).pass();
      }),
    /** Lets time go by, and looks every so often as a process does. */
    async goOn(ms: number, stepMs = MINUTE_MS) {
      const untilMs = clock.ms + ms;
      while (clock.ms < untilMs) {
        clock.ms = Math.min(untilMs, clock.ms + stepMs);
        await pass();
      }
    },
    put(definition: object) {
      const reading = readRoute(definition);
      if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
      return ledger.transaction((tx) =>
        putRoute(tx, { definition: reading.definition, actor: "test", nowMs: clock.ms }),
      );
    },
    route: async (name: string) => given(await findRoute(ledger.db, name)),
    raise: (changes_: Partial<RaisedAttention> = {}) =>
      raiseAttention(ledger.db, {
        kind: "breaker_open",
        subject: "spring",
        brand: "acme",
        summary: "campaign Spring paused itself",
        remedy: "look at it, then `outdial campaign resume`",
        nowMs: clock.ms,
        ...changes_,
      }),
    resolve: (subject = "spring") =>
      resolveAttention(ledger.db, {
        kind: "breaker_open",
        subject,
        by: "engine",
        resolution: "it was resumed",
        nowMs: clock.ms,
      }),
    resolveById: (id: number) =>
      resolveAttentionById(ledger.db, { id, by: "ann", resolution: "mended", nowMs: clock.ms }),
    acknowledge: async (subject: string, untilMs?: number) => {
      const entry = given((await open(ledger)).find((one) => one.subject === subject));
      return ledger.transaction((tx) =>
        acknowledgeAttention(tx, { id: entry.id, by: "ann", actor: "test", untilMs, nowMs: clock.ms }),
      );
    },
    open: () => open(ledger),
    close: () => outbound.close(),
  };
}

async function open(ledger: Ledger): Promise<Attention[]> {
  return (await listAttention(ledger.db, { resolved: false, limit: 1_000 })).items;
}

/** Nothing waits, nobody is told, nothing was sent. */
export async function emptied(ledger: Ledger): Promise<void> {
  await rows(ledger.db, sql`delete from attention_told`);
  await rows(ledger.db, sql`delete from notices`);
  await rows(ledger.db, sql`delete from attention_routes`);
  await rows(ledger.db, sql`delete from attention`);
}
