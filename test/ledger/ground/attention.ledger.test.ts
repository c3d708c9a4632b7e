import { sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";

import {
  countAttention,
  listAttention,
  raiseAttention,
  resolveAttention,
  resolveAttentionById,
  type RaisedAttention,
} from "../../../src/ledger/ground/attention.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";

const NOW = Date.parse("2026-03-02T12:00:00Z");

describeLedgers("the attention list", (ledger) => {
  const raise = (changes: Partial<RaisedAttention> = {}) =>
    raiseAttention(ledger().db, {
      kind: "action_failed",
      subject: "a",
      brand: "default",
      summary: "webhook: HTTP 500",
      remedy: "mend it",
      nowMs: NOW,
      ...changes,
    });
  const open = () => listAttention(ledger().db, { resolved: false, limit: 100 });

  beforeEach(() => rows(ledger().db, sql`delete from attention`));

  it("has the same thing once, however often and from however many sides it comes", async () => {
    await Promise.all(Array.from({ length: 10 }, () => raise()));
    await raise({ summary: "webhook: HTTP 502", nowMs: NOW + 1_000 });
    const { items, total } = await open();
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({ times: 11, summary: "webhook: HTTP 502", atMs: NOW });
    expect(await countAttention(ledger().db)).toEqual({ action_failed: 1 });
  });

  it("lets go of what mended itself, and takes it up again when it comes back", async () => {
    await raise();
    const mended = {
      kind: "action_failed",
      subject: "a",
      by: "engine",
      resolution: "done",
      nowMs: NOW,
    } as const;
    expect(await resolveAttention(ledger().db, mended)).toBe(true);
    expect(await resolveAttention(ledger().db, mended)).toBe(false);
    expect((await open()).total).toBe(0);
    await raise();
    expect((await open()).total).toBe(1);
    expect((await listAttention(ledger().db, { resolved: true, limit: 100 })).total).toBe(2);
  });

  it("keeps who dealt with an entry and what was done; the first word stands", async () => {
    await raise();
    const { id } = given((await open()).items[0]);
    const first = await resolveAttentionById(ledger().db, {
      id,
      by: "ann",
      resolution: "sent by hand",
      nowMs: NOW,
    });
    const second = await resolveAttentionById(ledger().db, {
      id,
      by: "bob",
      resolution: "me too",
      nowMs: NOW,
    });
    expect([first, second]).toMatchObject([{ resolvedBy: "ann" }, { resolution: "sent by hand" }]);
    expect(
      await resolveAttentionById(ledger().db, { id: id + 1, by: "ann", resolution: "x", nowMs: NOW }),
    ).toBeUndefined();
    const audit = await rows(
      ledger().db,
      sql`select actor from audit where action = 'attention.resolve' and detail->>'subject' = 'a'`,
    );
    expect(audit).toEqual([{ actor: "ann" }]);
  });

  it("is read page by page, by kind and brand", async () => {
    for (let n = 0; n < 5; n += 1)
      await raise({ subject: `s${n}`, brand: n % 2 === 0 ? "default" : "other" });
    await raise({ kind: "delivery_failed", subject: "d" });
    const first = await listAttention(ledger().db, { resolved: false, kind: "action_failed", limit: 3 });
    const last = given(first.items.at(-1));
    const rest = await listAttention(ledger().db, {
      resolved: false,
      kind: "action_failed",
      afterId: last.id,
      limit: 3,
    });
    expect([...first.items, ...rest.items].map(({ subject }) => subject)).toEqual([
      "s0",
      "s1",
      "s2",
      "s3",
      "s4",
    ]);
    expect(first.total).toBe(5);
    expect((await listAttention(ledger().db, { resolved: false, brand: "other", limit: 9 })).total).toBe(2);
  });
});
