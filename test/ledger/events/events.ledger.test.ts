import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { EVENT_TYPES, type EventTypeName } from "../../../src/domain/ground/event-types.ts";
import { forgetOldEvents } from "../../../src/chores/events/forget.ts";
import { settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { beginEra, beginEraElsewhere } from "../../../src/ledger/ground/eras.ts";
import {
  forgottenThrough,
  isBefore,
  newestPlace,
  placeBefore,
  placeOf,
  readEvents,
  type LedgerEvent,
  type Place,
} from "../../../src/ledger/events/events.ts";
import { writeEvent } from "../../../src/ledger/ground/write-events.ts";
import { raiseAttention, resolveAttention } from "../../../src/ledger/ground/attention.ts";
import { rows, type Db, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { untilTold } from "../support/told.ts";
import { liveThrough } from "../support/story-life.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import {
  DAY_MS,
  ended,
  freshPhones,
  listOfContacts,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  planAndStart,
  running,
  tell,
} from "../support/scenario.ts";

async function behind(ledger: Ledger, after: Place): Promise<LedgerEvent[]> {
  const found: LedgerEvent[] = [];
  await untilTold(ledger);
  for (let place = after; ;) {
    const page = await readEvents(ledger.db, { after: place, limit: 3 });
    found.push(...page);
    const last = page.at(-1);
    if (page.length < 3 || !last) return found;
    place = placeOf(last);
  }
}

const typesOf = (events: readonly LedgerEvent[]) => events.map(({ type }) => type);

const note = (tx: Db, summary: string, nowMs = NOW_MS) =>
  writeEvent(tx, { type: "credit.exhausted", data: { reason: summary } }, nowMs);

const reasonsOf = (events: readonly LedgerEvent[]) => events.map(({ data }) => data["reason"]);

describeLedgers("the feed of events", (ledger) => {
  it("tells of a campaign's calls, contacts and life, each once and in order", async () => {
    const from = await untilTold(ledger());
    const [first = "", second = "", never = ""] = freshPhones(3);
    await ledger().transaction((tx) =>
      addSuppressions(tx, {
        entries: [{ phone: never, brand: "default", source: "test", reason: "asked" }],
        actor: "test",
        nowMs: NOW_MS,
      }),
    );
    const id = await running(ledger(), listOfContacts([first, second, never]));
    const batchId = given((await planAndStart(ledger(), id))[0]);
    expect(await openPhones(ledger(), batchId)).toEqual([first, second]);
    const settle = {
      batchId,
      findings: [ended(first, "answered"), ended(second, "no_answer")],
      nowMs: NOW_MS + MINUTE_MS,
    };
    await settleFindings(ledger(), settle);
    await settleFindings(ledger(), settle);
    await tell(ledger(), "pause", id);
    await tell(ledger(), "resume", id);
    const events = await behind(ledger(), from);
    expect(typesOf(events)).toEqual([
      "suppression.added",
      "campaign.created",
      "contact.finished",
      "campaign.started",
      "call.ended",
      "call.ended",
      "contact.finished",
      "campaign.paused",
      "campaign.resumed",
    ]);
    expect(events.slice(1).every(({ campaignId, brand }) => campaignId === id && brand === "default")).toBe(
      true,
    );
    expect(events[2]?.data).toMatchObject({
      phone: never,
      state: "excluded",
      reason: "suppressed",
      attempts: 0,
    });
    expect(
      events
        .filter(({ type }) => type === "call.ended")
        .map(({ data }) => [data["phone"], data["disposition"]]),
    ).toEqual(
      expect.arrayContaining([
        [first, "answered"],
        [second, "no_answer"],
      ]),
    );
    expect(
      events.find(({ data }) => data["state"] === "done" && data["phone"] === first)?.data,
    ).toMatchObject({ state: "done", outcome: "answered", attempts: 1 });
    expect(
      events.every((event, at) => at === 0 || isBefore(placeOf(given(events[at - 1])), placeOf(event))),
    ).toBe(true);
  });

  it("tells of everybody who was left when a campaign was cancelled, and of its end", async () => {
    const from = await untilTold(ledger());
    const id = await running(ledger(), listOfContacts(freshPhones(4)));
    await tell(ledger(), "cancel", id);
    await planAndStart(ledger(), id);
    const events = await behind(ledger(), from);
    expect(typesOf(events).filter((type) => type === "contact.finished")).toHaveLength(4);
    expect(typesOf(events).slice(-1)).toEqual(["campaign.cancelled"]);
    expect(events.at(-1)?.data).toMatchObject({ contacts: { total: 4, excluded: 4, open: 0 } });
  });

  it("tells nothing of what was rolled back", async () => {
    const from = await untilTold(ledger());
    const failing = ledger().transaction(async (tx) => {
      await note(tx, "never");
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    await ledger().transaction((tx) => note(tx, "there"));
    expect(reasonsOf(await behind(ledger(), from))).toEqual(["there"]);
  });

  it("tells of what waits for people once, however often it happens, and of its end", async () => {
    const from = await untilTold(ledger());
    const entry = { kind: "key_expiring", subject: "events" } as const;
    await ledger().transaction(async (tx) => {
      for (const summary of ["soon", "sooner"])
        await raiseAttention(tx, { ...entry, brand: "default", summary, remedy: "rotate it", nowMs: NOW_MS });
      const resolved = { ...entry, by: "test", resolution: "rotated", nowMs: NOW_MS };
      expect(await resolveAttention(tx, resolved)).toBe(true);
      expect(await resolveAttention(tx, resolved)).toBe(false);
    });
    const events = await behind(ledger(), from);
    expect(typesOf(events)).toEqual(["attention.opened", "attention.resolved"]);
    expect(events[0]?.data).toMatchObject({ summary: "soon", remedy: "rotate it" });
  });

  it("has the fields that each type says, over a whole life", async () => {
    const from = await untilTold(ledger());
    await liveThrough(ledger(), "+13057319901", { name: "events-life" });
    const events = await behind(ledger(), from);
    for (const { type, data } of events) {
      const read = EVENT_TYPES[type].data.safeParse(data);
      expect({ type, data, error: read.error?.message }).toEqual({ type, data, error: undefined });
    }
    expect(typesOf(events)).toEqual(
      expect.arrayContaining(["call.ended", "contact.finished", "enrolment.started", "suppression.removed"]),
    );
  });

  it("holds back what was committed while an older transaction is open, and then leaves nothing of it out", async () => {
    // The embedded ledger has one connection: there, nothing overlaps.
    if (ledger().kind === "embedded") return;
    const from = await untilTold(ledger());
    let close = () => {};
    const held = new Promise<void>((resolve) => {
      close = resolve;
    });
    let written = () => {};
    const isWritten = new Promise<void>((resolve) => {
      written = resolve;
    });
    const older = ledger().transaction(async (tx) => {
      await note(tx, "older");
      written();
      await held;
    });
    await isWritten;
    await ledger().transaction((tx) => note(tx, "younger"));
    expect(await readEvents(ledger().db, { after: from, limit: 3 })).toEqual([]);
    close();
    await older;
    expect(reasonsOf(await behind(ledger(), from))).toEqual(["older", "younger"]);
  });

  it("goes on behind the places of before where the database counts its transactions anew", async () => {
    await ledger().transaction((tx) => note(tx, "before"));
    const from = await untilTold(ledger());
    // As a dump has them that was made by a database which had come further.
    await rows(ledger().db, sql`update events set tx = tx + 1000000000 where era = ${from[0]}`);
    const dumped: Place = [from[0], from[1] + 1_000_000_000, from[2]];
    await ledger().transaction((tx) => beginEraElsewhere(tx));
    await ledger().transaction((tx) => beginEraElsewhere(tx));
    expect(await newestPlace(ledger().db)).toEqual(dumped);
    await ledger().transaction((tx) => note(tx, "since"));
    const found = await behind(ledger(), dumped);
    expect(reasonsOf(found)).toEqual(["since"]);
    expect(found[0]?.era).toBe(from[0] + 1);
    // What nobody has any more, since the ledger is a copy of before it, hides nothing.
    await ledger().transaction((tx) => beginEra(tx));
    await ledger().transaction((tx) => note(tx, "restored"));
    expect(reasonsOf(await behind(ledger(), [from[0] + 1, Number.MAX_SAFE_INTEGER, 0]))).toEqual([
      "restored",
    ]);
  });

  it("finds where a day began, and forgets what is older than a month, in order", async () => {
    const longAgoMs = NOW_MS - 400 * DAY_MS;
    await rows(ledger().db, sql`delete from events`);
    const reasons = ["first", "second", "third", "fourth", "fifth"];
    for (const [day, reason] of reasons.entries()) {
      // Whichever era it is of, and though one has none.
      if (day === 2) for (let n = 0; n < 2; n += 1) await ledger().transaction((tx) => beginEra(tx));
      await ledger().transaction((tx) => note(tx, reason, longAgoMs + day * DAY_MS));
    }
    await untilTold(ledger());
    for (const day of reasons.keys()) {
      const since = await placeBefore(ledger().db, longAgoMs + (day + 0.5) * DAY_MS);
      expect(reasonsOf(await behind(ledger(), since))).toEqual(reasons.slice(day));
    }
    const [first] = await behind(ledger(), [0, 0, 0]);
    const nowMs = longAgoMs + 31.5 * DAY_MS;
    await untilTold(ledger());
    expect(await forgetOldEvents({ ledger: ledger(), now: () => nowMs })).toBe(2);
    expect(await forgetOldEvents({ ledger: ledger(), now: () => nowMs })).toBe(0);
    expect(reasonsOf(await behind(ledger(), [0, 0, 0]))).toEqual(["third", "fourth", "fifth"]);
    const gone = given(await forgottenThrough(ledger().db));
    expect(isBefore(placeOf(given(first)), gone)).toBe(true);
    expect(reasonsOf(await behind(ledger(), gone))).toEqual(["third", "fourth", "fifth"]);
  });

  it("reads what is rare without the calls between", async () => {
    const from = await untilTold(ledger());
    const id = await running(ledger(), freshPhones(2));
    const batchId = given((await planAndStart(ledger(), id))[0]);
    const findings = (await openPhones(ledger(), batchId)).map((phone) => ended(phone, "answered"));
    await settleFindings(ledger(), { batchId, findings, nowMs: NOW_MS + MINUTE_MS });
    const types = new Set<EventTypeName>(["campaign.started"]);
    await untilTold(ledger());
    const found = await readEvents(ledger().db, { after: from, types, limit: 100 });
    expect(typesOf(found)).toEqual(["campaign.created", "campaign.started"]);
  });
});
