import { sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, it } from "vitest";

import { createNotices } from "../../../src/chores/notices/notices.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { noticesDue } from "../../../src/ledger/notices/entries.ts";
import { listMessages } from "../../../src/ledger/notices/messages.ts";
import { removeRoute } from "../../../src/ledger/notices/routes.ts";
import { beginSending } from "../../../src/ledger/notices/sending.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { explaining, type Explained } from "../../ledger/support/explaining.ts";
import { startReceiver, type Receiver } from "../../support/receiver.ts";
import { bodyOf, emptied, HOUR_MS, MINUTE_MS, noticesOver, NOW_MS, SIGNING, wordsOf } from "./support.ts";

describeLedgers("telling people of what waits for them", (ledger) => {
  let receiver: Receiver;
  let over: ReturnType<typeof noticesOver>;

  const route = (changes: object = {}, name = "ops") => ({
    name,
    to: { webhook: { url: receiver.url, secret: "alerts" } },
    ...changes,
  });

  beforeEach(async () => {
    await emptied(ledger());
    receiver = await startReceiver();
    over = noticesOver(ledger());
  });
  afterEach(async () => {
    await over.close();
    await receiver.close();
  });

  it("tells a new entry at once, signed, with what is known of it, and once", async () => {
    await over.put(route());
    await over.raise({ summary: "campaign Spring paused itself after a call to +12025550143" });
    await over.goOn(HOUR_MS);
    expect(wordsOf(receiver)).toEqual([["problem breaker_open spring"]]);
    const body = bodyOf(receiver, 0);
    expect(body).toMatchObject({ type: "attention", data: { route: "ops", total: 1 } });
    expect(body.data.entries[0]).toMatchObject({
      brand: "acme",
      since: new Date(NOW_MS).toISOString(),
      times: 1,
      remedy: "look at it, then `outdial campaign resume`",
      summary: "campaign Spring paused itself after a call to +12***43",
    });
    const { headers, body: raw } = given(receiver.received[0]);
    const signed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    expect(headers["webhook-id"]).toBe(body.id);
    // The clock of the signature is the test's, long past for a receiver that verifies by now.
    expect(() => new Webhook(SIGNING).verify(raw, signed)).toThrow(/too old/);
    const again = new Webhook(SIGNING).sign(
      body.id,
      new Date(Number(headers["webhook-timestamp"]) * 1_000),
      raw,
    );
    expect(headers["webhook-signature"]).toBe(again);
  });

  it("tells what is over once, and only to whoever was told of it", async () => {
    await over.put(route());
    await over.raise();
    await over.raise({ subject: "blip" });
    await over.resolve("blip");
    await over.pass();
    await over.goOn(MINUTE_MS);
    await over.resolve();
    await over.goOn(HOUR_MS);
    expect(wordsOf(receiver)).toEqual([["problem breaker_open spring"], ["resolved breaker_open spring"]]);
  });

  it("gathers what happens again, and tells it less and less often the longer it goes on", async () => {
    await over.put(route({ gather: "15m" }));
    const toldAtMs: number[] = [];
    receiver.answer = () => {
      toldAtMs.push(over.clock.ms);
      return { status: 204 };
    };
    for (let minute = 0; minute < 6 * 60; minute += 1) {
      await over.raise();
      await over.goOn(MINUTE_MS);
    }
    const minutes = toldAtMs.map((ms) => Math.round((ms - NOW_MS) / MINUTE_MS));
    // 15 minutes, 30, 60, 120 behind each other; the first look is a minute behind the first entry.
    expect(minutes).toEqual([1, 16, 46, 106, 226]);
    expect(bodyOf(receiver, 1).data.entries[0]).toMatchObject({ word: "again", times: 16 });
  });

  it("does not tell each time of what comes and goes", async () => {
    await over.put(route({ gather: "15m" }));
    for (let minute = 0; minute < 60; minute += 2) {
      await over.raise();
      await over.goOn(MINUTE_MS);
      await over.resolve();
      await over.goOn(MINUTE_MS);
    }
    const words = wordsOf(receiver).flat();
    const told = words.filter((word) => !word.startsWith("resolved"));
    // Every 15 minutes, then 30 behind the second: three times in an hour, and each was over once.
    expect(told).toEqual([
      "problem breaker_open spring",
      "again breaker_open spring",
      "again breaker_open spring",
    ]);
    expect(words).toHaveLength(6);
  });

  it("sends thousands of entries that came at once as one message, with counts", async () => {
    await over.put(route());
    await rows(
      ledger().db,
      sql`insert into attention (kind, subject, brand, summary, remedy, at, notice_at)
          select 'action_failed', 's' || n, 'acme', 'webhook: HTTP 500', 'mend it', now(), timestamptz '2026-03-02T12:00:00Z'
          from generate_series(1, 3000) as n`,
    );
    await over.raise();
    await over.goOn(10 * MINUTE_MS);
    expect(receiver.received).toHaveLength(1);
    const { data } = bodyOf(receiver, 0);
    expect(data.total).toBe(3_001);
    expect(data.entries).toHaveLength(20);
    expect(data.counts).toEqual([
      { word: "problem", kind: "action_failed", n: 3_000 },
      { word: "problem", kind: "breaker_open", n: 1 },
    ]);
  });

  it("sends no more than a message in ten seconds, however fast entries come", async () => {
    await over.put(route());
    for (let n = 0; n < 120; n += 1) {
      await over.raise({ subject: `s${n}` });
      await over.goOn(1_000, 1_000);
    }
    expect(receiver.received.length).toBeLessThanOrEqual(13);
    await over.goOn(20_000, 1_000);
    expect(wordsOf(receiver).flat()).toHaveLength(120);
  });

  it("tells by kind and by brand, and each route what concerns it", async () => {
    const other = await startReceiver();
    await over.put(route({ kinds: ["breaker_open"], brands: ["acme"] }));
    await over.put({
      ...route({ except_kinds: ["breaker_open"] }, "rest"),
      to: { webhook: { url: other.url, secret: "alerts" } },
    });
    await over.raise();
    await over.raise({ subject: "others", brand: "other" });
    await over.raise({ kind: "key_expiring", subject: "key" });
    await over.goOn(MINUTE_MS);
    expect(wordsOf(receiver)).toEqual([["problem breaker_open spring"]]);
    expect(wordsOf(other)).toEqual([["problem key_expiring key"]]);
    await other.close();
  });

  it("tells a new route of all that is there already, and a changed one of nothing twice", async () => {
    await over.raise();
    await over.goOn(MINUTE_MS);
    await over.put(route());
    await over.goOn(MINUTE_MS);
    expect(wordsOf(receiver)).toEqual([["problem breaker_open spring"]]);
    await over.put(route({ gather: "30m" }));
    await over.goOn(HOUR_MS);
    expect(receiver.received).toHaveLength(1);
  });

  it("reminds of what nobody has acknowledged, so often and no more", async () => {
    await over.put(route({ remind: { every: "1h", times: 2 } }));
    await over.raise();
    await over.goOn(6 * HOUR_MS);
    expect(wordsOf(receiver).flat()).toEqual([
      "problem breaker_open spring",
      "reminder breaker_open spring",
      "reminder breaker_open spring",
    ]);
  });

  it("tells who looks after it, reminds nobody meanwhile, and comes back when the time is up", async () => {
    await over.put(route({ remind: { every: "1h", times: 3 } }));
    await over.raise();
    await over.goOn(MINUTE_MS);
    await over.acknowledge("spring", over.clock.ms + 4 * HOUR_MS);
    await over.goOn(MINUTE_MS);
    await over.raise();
    await over.goOn(3 * HOUR_MS);
    expect(wordsOf(receiver).flat()).toEqual([
      "problem breaker_open spring",
      "acknowledged breaker_open spring",
    ]);
    expect(bodyOf(receiver, 1).data.entries[0]).toMatchObject({ acknowledged_by: "ann" });
    expect(await over.open()).toMatchObject([{ subject: "spring", times: 2, acknowledgedBy: "ann" }]);
    await over.goOn(HOUR_MS);
    expect(wordsOf(receiver).at(-1)).toEqual(["reminder breaker_open spring"]);
    await over.acknowledge("spring");
    await over.goOn(24 * HOUR_MS, 10 * MINUTE_MS);
    expect(wordsOf(receiver).flat()).toHaveLength(4);
    await over.resolve();
    await over.goOn(MINUTE_MS);
    expect(wordsOf(receiver).at(-1)).toEqual(["resolved breaker_open spring"]);
  });

  it("sends the same again under the same id where no answer came, and nothing else before it", async () => {
    await over.put(route());
    receiver.answer = (_delivery, n) => ({ status: n === 0 ? 0 : n === 1 ? 503 : 204 });
    await over.raise();
    await over.pass();
    await over.raise({ subject: "second" });
    await over.goOn(5 * MINUTE_MS, 5_000);
    expect(wordsOf(receiver)).toEqual([
      ["problem breaker_open spring"],
      ["problem breaker_open spring"],
      ["problem breaker_open spring"],
      ["problem breaker_open second"],
    ]);
    const [first, second, third, fourth] = receiver.received;
    expect(new Set([first?.body, second?.body, third?.body]).size).toBe(1);
    expect(given(first).headers["webhook-id"]).toBe(given(third).headers["webhook-id"]);
    expect(given(fourth).headers["webhook-id"]).not.toBe(given(third).headers["webhook-id"]);
  });

  it("is told by other routes when one delivers nothing, and never by that one itself", async () => {
    const dead = await startReceiver();
    dead.answer = () => ({ status: 500 });
    await over.put({ ...route({}, "dead"), to: { webhook: { url: dead.url, secret: "alerts" } } });
    await over.put(route({}, "alive"));
    await over.raise();
    await over.goOn(5 * MINUTE_MS, 10_000);
    expect(wordsOf(receiver).flat()).toEqual(["problem breaker_open spring", "problem notices_failing dead"]);
    expect(bodyOf(receiver, 1).data.entries[0]?.summary).toContain("answered 500");
    await over.goOn(24 * HOUR_MS, 10 * MINUTE_MS);
    // Every half an hour, however long it lasts: bounded, and nothing of its own among it.
    expect(dead.received.length).toBeLessThan(70);
    expect(
      wordsOf(dead)
        .flat()
        .every((word) => word === "problem breaker_open spring"),
    ).toBe(true);
    dead.answer = () => ({ status: 204 });
    await over.goOn(HOUR_MS);
    expect(wordsOf(dead).at(-1)).toEqual(["problem breaker_open spring"]);
    expect(wordsOf(receiver).at(-1)).toEqual(["resolved notices_failing dead"]);
    expect(await over.route("dead")).toMatchObject({ failures: 0, trouble: undefined });
    await dead.close();
  });

  it("tells at once of a secret that is not there, and goes on when it is", async () => {
    over.secrets.clear();
    await over.put(route());
    await over.raise();
    await over.pass();
    expect(await over.open()).toMatchObject([
      { kind: "breaker_open" },
      { kind: "notices_failing", summary: expect.stringContaining('there is no secret "alerts"') },
    ]);
    over.secrets.set("alerts", [SIGNING]);
    await over.goOn(MINUTE_MS, 10_000);
    expect(wordsOf(receiver)).toEqual([["problem breaker_open spring"]]);
    expect(await over.open()).toMatchObject([{ kind: "breaker_open" }]);
  });

  it("goes where nothing private is without being sent to addresses that are not allowed", async () => {
    await over.put({
      name: "inner",
      to: { webhook: { url: "https://169.254.169.254/latest", secret: "alerts" } },
    });
    await over.raise();
    await over.pass();
    expect((await over.route("inner")).trouble).toContain("OUTDIAL_OUTBOUND_ALLOW");
  });

  it("loses nothing of a process that died between writing a message down and sending it", async () => {
    await over.put(route());
    await over.raise();
    await over.beginAndDie();
    await over.pass();
    await over.goOn(2 * MINUTE_MS, 10_000);
    expect(wordsOf(receiver)).toEqual([["problem breaker_open spring"]]);
    const { id } = await over.route("ops");
    expect(await listMessages(ledger().db, id, 10)).toMatchObject([{ outcome: "delivered", tries: 2 }]);
  });

  it("is sent by one of several processes", async () => {
    await over.put(route());
    for (let n = 0; n < 20; n += 1) await over.raise({ subject: `s${n}` });
    const others = Array.from({ length: 4 }, () => createNotices(over.deps, 1));
    for (let turn = 0; turn < 5; turn += 1) {
      await Promise.all(others.map((one) => one.pass()));
      await Promise.all(others.map((one) => one.settled()));
      over.clock.ms += 15_000;
    }
    expect(receiver.received).toHaveLength(1);
    expect(bodyOf(receiver, 0).data.total).toBe(20);
  });

  it("gives a message up after eight tries, and says in the next one what is so then", async () => {
    receiver.answer = () => ({ status: 500 });
    await over.put(route());
    await over.raise();
    await over.raise({ subject: "passing" });
    await over.goOn(HOUR_MS);
    await over.resolve("passing");
    await over.raise({ subject: "later" });
    receiver.answer = () => ({ status: 204 });
    await over.goOn(HOUR_MS);
    expect(wordsOf(receiver).at(-1)).toEqual(["problem breaker_open spring", "problem breaker_open later"]);
    const { id } = await over.route("ops");
    const messages = await listMessages(ledger().db, id, 10);
    expect(messages.map(({ outcome }) => outcome)).toEqual(["delivered", "given_up"]);
  });

  it("keeps quiet by night but for what can't wait, and tells the rest as one in the morning", async () => {
    const quiet = {
      zone: "America/New_York",
      hours: [
        { from: "20:00", to: "08:00" },
        { on: "weekend", from: "00:00", to: "24:00" },
      ],
      except: ["breaker_open"],
    };
    // 21:00 of a Friday in New York: quiet until Monday at 08:00.
    over.clock.ms = Date.parse("2026-03-07T02:00:00Z");
    await over.put(route({ quiet_hours: quiet }));
    for (let n = 0; n < 5; n += 1) await over.raise({ kind: "action_failed", subject: `a${n}` });
    await over.raise();
    await over.goOn(HOUR_MS);
    expect(wordsOf(receiver)).toEqual([["problem breaker_open spring"]]);
    await over.goOn(60 * HOUR_MS, 30 * MINUTE_MS);
    // The clocks went forward on Sunday: 08:00 is 12:00 UTC.
    expect(receiver.received).toHaveLength(2);
    expect(over.clock.ms).toBeGreaterThan(Date.parse("2026-03-09T12:00:00Z"));
    const { data } = bodyOf(receiver, 1);
    expect(data.total).toBe(5);
  });

  it("does not wake anybody by what a dead receiver kept until the night", async () => {
    over.clock.ms = Date.parse("2026-03-02T21:50:00Z");
    receiver.answer = () => ({ status: 503 });
    const quiet_hours = { zone: "UTC", hours: [{ from: "22:00", to: "06:00" }], except: ["breaker_open"] };
    await over.put(route({ quiet_hours }));
    await over.raise({ kind: "action_failed", subject: "a" });
    await over.goOn(30 * MINUTE_MS);
    receiver.answer = () => ({ status: 204 });
    const before = receiver.received.length;
    await over.goOn(2 * HOUR_MS);
    await over.raise();
    await over.goOn(HOUR_MS);
    expect(wordsOf(receiver).slice(before)).toEqual([["problem breaker_open spring"]]);
    await over.goOn(6 * HOUR_MS);
    expect(wordsOf(receiver).slice(before + 1)).toEqual([["problem action_failed a"]]);
  });

  it("takes back a route with what it was about to tell, and its name is free", async () => {
    receiver.answer = () => ({ status: 500 });
    await over.put(route());
    await over.raise();
    await over.goOn(10 * MINUTE_MS);
    expect((await over.open()).map(({ kind }) => kind)).toEqual(["breaker_open", "notices_failing"]);
    await ledger().transaction((tx) => removeRoute(tx, { name: "ops", actor: "test", nowMs: over.clock.ms }));
    expect((await over.open()).map(({ kind }) => kind)).toEqual(["breaker_open"]);
    const before = receiver.received.length;
    await over.goOn(HOUR_MS);
    expect(receiver.received).toHaveLength(before);
    expect((await over.put(route())).change).toBe("created");
  });

  it("looks at nothing while nobody wants to be told, and tells the first who does of what is open alone", async () => {
    await over.raise();
    await over.raise({ subject: "past" });
    await over.resolve("past");
    await over.goOn(MINUTE_MS);
    expect(await noticesDue(ledger().db, over.clock.ms)).toEqual({ areEntries: false, areRoutes: false });
    await over.put(route());
    await over.goOn(MINUTE_MS);
    expect(wordsOf(receiver)).toEqual([["problem breaker_open spring"]]);
  });

  it("finds what is due by index, be the list of what was resolved ever so long", async () => {
    const seen: Explained[] = [];
    const watched = explaining(ledger(), (explained) => seen.push(explained));
    await rows(
      ledger().db,
      sql`insert into attention (kind, subject, brand, summary, remedy, at, resolved_at, resolved_by, resolution)
          select 'no_end', 'old' || n, 'acme', 's', 'r', now(), now(), 'ann', 'x' from generate_series(1, 100000) as n`,
    );
    await rows(ledger().db, sql`analyze attention`);
    await over.put(route());
    for (let n = 0; n < 50; n += 1) await over.raise({ subject: `s${n}` });
    const notices = createNotices({ ...over.deps, ledger: watched }, 1);
    await notices.pass();
    await notices.settled();
    expect(receiver.received).toHaveLength(1);
    expect(seen.length).toBeGreaterThan(10);
    const whole = seen.filter(({ readsWhole }) => readsWhole.includes("attention"));
    expect(whole.map(({ statement }) => statement)).toEqual([]);
  });

  it("begins nothing for a route whose time another process has taken", async () => {
    await over.put(route());
    await over.raise();
    const { id } = await over.route("ops");
    await over.beginAndDie();
    const input = { routeId: id, busyMs: 60_000, masked: (text: string) => text, nowMs: over.clock.ms };
    expect(await beginSending(ledger(), input)).toBeUndefined();
  });
});
