import { randomBytes } from "node:crypto";

import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import type { Finding } from "../../../src/domain/campaigns/findings.ts";
import { listUnended, takeFollowFence } from "../../../src/ledger/campaigns/attempts.ts";
import {
  LedgerUnavailableError,
  rows,
  StatementRefusedError,
  type Ledger,
} from "../../../src/ledger/ground/connection.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { expectInvariants } from "../support/invariants.ts";
import {
  contactsOf,
  ended,
  finding,
  freshPhones,
  MINUTE_MS,
  NOW_MS,
  planAndStart,
  running,
  tallies,
} from "../support/scenario.ts";

const LATER_MS = NOW_MS + 2 * MINUTE_MS;

/** Beyond what an index of the database takes, and not to be compressed. */
const ENDLESS_ID = randomBytes(20_000).toString("base64");

describeLedgers("a finding that the database refuses", (ledger) => {
  const started = async (people: number) => {
    const phones = freshPhones(people);
    const id = await running(ledger(), phones, { concurrency: people });
    const [batchId] = await planAndStart(ledger(), id);
    return { id, batchId: given(batchId), phones };
  };
  const settle = (batchId: string, findings: readonly Finding[]) =>
    settleFindings(ledger(), { batchId, findings, nowMs: LATER_MS });
  const toldOf = async (batchId: string) =>
    rows<{
      phone: string;
      state: string;
      disposition: string | null;
      why: string | null;
      call_id: string | null;
    }>(
      ledger().db,
      sql`select phone, state, disposition, disposition_reason as why, call_id from attempts
          where batch_id = ${batchId}::uuid order by phone`,
    );

  it.each<[string, Partial<Finding>]>([
    ["an id without end", { callId: ENDLESS_ID }],
    ["a time that is none", { startedAtMs: Number.NaN }],
    ["an end that is none", { endedAtMs: Number.NaN }],
    ["a duration that is none", { durationSeconds: "long" as never }],
  ])("for %s holds up nobody else, and its outcome is written by itself", async (_, poison) => {
    const { id, batchId, phones } = await started(5);
    const [first = "", second = "", poisoned = "", fourth = "", fifth = ""] = phones;
    const result = given(
      await settle(batchId, [
        ended(first, "answered"),
        ended(second, "busy"),
        { ...ended(poisoned, "answered"), ...poison },
        finding(fourth, { outcome: { kind: "up" } }),
        ended(fifth, "answered"),
      ]),
    );
    expect(result).toMatchObject({ fenced: false, ended: 4, open: 1 });
    expect(result.refused).toMatchObject([{ phone: poisoned, isBare: true }]);
    expect(JSON.stringify(result.refused)).not.toContain(ENDLESS_ID.slice(0, 50));
    const told = await toldOf(batchId);
    expect(told.map(({ state }) => state)).toEqual(["ended", "ended", "ended", "open", "ended"]);
    expect(told[2]).toMatchObject({ disposition: "answered", call_id: null });
    expect(told[2]?.why).toContain("what else the platform told of it can't be kept");
    expect(told[4]).toMatchObject({ disposition: "answered", call_id: `call-${fifth}` });
    expect(await tallies(ledger(), id)).toMatchObject({ leased: 1, done: 3, open: 1, attempts: 4 });
    await expectInvariants(ledger());
    expect(await settle(batchId, [ended(fourth, "answered")])).toMatchObject({ open: 0, refused: [] });
    expect(await closeBatch(ledger(), batchId, LATER_MS)).toMatchObject({ isClosed: true });
  });

  it.each([
    ["at first sight", []],
    ["after a word of it was written", [{ itemStatus: "ringing", callId: undefined }]],
  ])("of a call that is up, %s, leaves the sign of its dial, and is not tried again", async (_, before) => {
    const { batchId, phones } = await started(2);
    const poisoned = given(phones[0]);
    for (const told of before)
      await settle(batchId, [finding(poisoned, { ...told, outcome: { kind: "up" } })]);
    const up = finding(poisoned, {
      itemStatus: undefined,
      callId: ENDLESS_ID,
      outcome: { kind: "up" },
    });
    const first = given(await settle(batchId, [up]));
    expect(first.refused).toMatchObject([{ phone: poisoned, isBare: true }]);
    const unended = await listUnended(ledger().db, batchId);
    // Nobody who shows a dial is given back, whatever is told later (I1).
    expect(unended.map(({ phone, seenDialed }) => [phone, seenDialed])).toEqual(
      phones.map((phone) => [phone, phone === poisoned]),
    );
    expect(given(await settle(batchId, [up])).refused).toEqual([]);
    expect(await settle(batchId, [ended(poisoned, "busy")])).toMatchObject({ ended: 1, refused: [] });
    await expectInvariants(ledger());
  });

  it("is told by no word of the platform's: whatever an item says, what is told of it later is kept", async () => {
    const { batchId, phones } = await started(1);
    const up = (changes: Partial<Finding>) =>
      finding(given(phones[0]), { ...changes, outcome: { kind: "up" } });
    await settle(batchId, [up({ itemStatus: "(unwritable)", callId: undefined })]);
    await settle(batchId, [up({ itemStatus: "ringing", callId: "a call" })]);
    expect(await toldOf(batchId)).toMatchObject([{ state: "open", call_id: "a call" }]);
  });

  it("altogether stays where it is, and is named", async () => {
    const { id, batchId, phones } = await started(3);
    const poisoned = given(phones[1]);
    await refuseWhere(ledger(), `new.phone = '${poisoned}' and new.state = 'ended'`, "23514", async () => {
      const result = given(
        await settle(
          batchId,
          phones.map((phone) => ended(phone, "answered")),
        ),
      );
      expect(result).toMatchObject({ ended: 2, open: 1 });
      expect(result.refused).toMatchObject([{ phone: poisoned, isBare: false }]);
      expect(result.refused[0]?.why).toContain("poisoned row");
      expect(await closeBatch(ledger(), batchId, LATER_MS)).toMatchObject({ isClosed: false });
    });
    expect((await contactsOf(ledger(), id)).map(({ state }) => state)).toEqual(["done", "leased", "done"]);
    // Nothing of it is lost: what is mended is settled.
    expect(await settle(batchId, [ended(poisoned, "busy")])).toMatchObject({
      ended: 1,
      open: 0,
      refused: [],
    });
    await expectInvariants(ledger());
  });

  // Of each of these the next try knows nothing: it was never about the call.
  it.each([
    ["a statement that takes too long", "57014", LedgerUnavailableError],
    ["no memory", "53200", LedgerUnavailableError],
    ["no more connections", "53300", LedgerUnavailableError],
    ["a limit of its configuration", "53400", LedgerUnavailableError],
    ["a disk that fails", "58030", LedgerUnavailableError],
    ["a standby that can only be read", "25006", LedgerUnavailableError],
    ["an error of its own", "XX000", LedgerUnavailableError],
    ["a page that is damaged", "XX001", LedgerUnavailableError],
    ["processes in each other's way", "40001", LedgerUnavailableError],
    ["a schema that was changed by hand", "42703", StatementRefusedError],
    ["a rule that somebody added", "P0001", StatementRefusedError],
  ])("is not one that meets %s (%s): nothing of a call is lost for it", async (_, code, kind) => {
    const { id, batchId, phones } = await started(3);
    const met = given(phones[1]);
    const findings = phones.map((phone) => ended(phone, "answered"));
    await refuseWhere(ledger(), `new.phone = '${met}' and new.call_id is not null`, code, async () => {
      await expect(settle(batchId, findings)).rejects.toBeInstanceOf(kind);
      // Not by the part of it that the database would have taken, either.
      expect(await contactsOf(ledger(), id)).toMatchObject([{}, { state: "leased" }, {}]);
    });
    expect(await settle(batchId, findings)).toMatchObject({ open: 0, refused: [] });
    expect((await toldOf(batchId)).map((told) => told.call_id)).toEqual(
      phones.map((phone) => `call-${phone}`),
    );
    await expectInvariants(ledger());
  });

  it("is not one that is met by such an error while others are written one by one", async () => {
    const { batchId, phones } = await started(3);
    const [poisoned = "", met = "", last = ""] = phones;
    const findings = [
      { ...ended(poisoned, "answered"), callId: ENDLESS_ID },
      ended(met, "answered"),
      ended(last, "answered"),
    ];
    await refuseWhere(ledger(), `new.phone = '${met}' and new.call_id is not null`, "57014", async () => {
      await expect(settle(batchId, findings)).rejects.toBeInstanceOf(LedgerUnavailableError);
    });
    expect(await settle(batchId, findings)).toMatchObject({ open: 0 });
    expect((await toldOf(batchId)).map((told) => told.call_id)).toEqual([
      null,
      `call-${met}`,
      `call-${last}`,
    ]);
  });

  it("tells a follower that is fenced so, and writes nothing", async () => {
    const { id, batchId, phones } = await started(2);
    const fence = given(await takeFollowFence(ledger().db, id));
    await takeFollowFence(ledger().db, id);
    const poison = { ...ended(given(phones[0]), "answered"), callId: ENDLESS_ID };
    const findings = [poison, ended(given(phones[1]), "answered")];
    expect(await settleFindings(ledger(), { batchId, findings, fence, nowMs: LATER_MS })).toMatchObject({
      fenced: true,
    });
    expect((await toldOf(batchId)).every(({ state }) => state === "open")).toBe(true);
  });

  it("is not blamed where nothing of its batch can be written", async () => {
    const { batchId, phones } = await started(2);
    const failing: Ledger = {
      ...ledger(),
      transaction: () => Promise.reject(new TypeError("everything fails")),
    };
    const findings = phones.map((phone) => ended(phone, "answered"));
    await expect(settleFindings(failing, { batchId, findings, nowMs: LATER_MS })).rejects.toThrow(
      "everything fails",
    );
  });
});

/** Has the database refuse, with this code of its own, what changes an attempt so. */
async function refuseWhere(
  ledger: Ledger,
  condition: string,
  code: string,
  work: () => Promise<void>,
): Promise<void> {
  await ledger.db.execute(
    sql.raw(`create function refuse_poison() returns trigger language plpgsql as $$
      begin
        if ${condition} then raise exception 'a poisoned row' using errcode = '${code}'; end if;
        return new;
      end $$`),
  );
  await ledger.db.execute(
    sql`create trigger refuse_poison before update on attempts for each row execute function refuse_poison()`,
  );
  try {
    await work();
  } finally {
    await ledger.db.execute(sql`drop trigger refuse_poison on attempts`);
    await ledger.db.execute(sql`drop function refuse_poison()`);
  }
}
