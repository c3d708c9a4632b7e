import { sql } from "drizzle-orm";
import { createHmac } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { createScrubbing } from "../../../src/chores/campaigns/scrubbing.ts";
import { UnknownSecretError } from "../../../src/domain/ground/secrets.ts";
import { explainContact } from "../../../src/ledger/campaigns/explanations.ts";
import { declareSource, dropSource, bindToLists } from "../../../src/ledger/campaigns/renewing.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { rows, type Db } from "../../../src/ledger/ground/connection.ts";
import { goOn, stopEverything } from "../../../src/ledger/ground/installation.ts";
import {
  claimScrubber,
  recordAnswers,
  recordScrubFailure,
  releaseScrubber,
} from "../../../src/ledger/ground/scrub-answers.ts";
import { readSource, scrubOf, type ScrubDeclared } from "../../../src/ledger/ground/suppression-sources.ts";
import { addSuppressions, removeSuppression } from "../../../src/ledger/ground/suppressions.ts";
import { createOutbound } from "../../../src/outbound/client.ts";
import { OutboundError } from "../../../src/outbound/errors.ts";
import { noFollowUpPorts } from "../../support/ports.ts";
import { describeLedgers, elsewhere, given } from "../../support/ledgers.ts";
import { startReceiver, type Receiver, type Reply } from "../../support/receiver.ts";
import {
  batchOf,
  contactsOf,
  create,
  DAY_MS,
  freshPhones,
  holdsOf,
  HOUR_MS,
  MINUTE_MS,
  NOW_MS,
  PACE,
  permit,
  plan,
  planAndStart,
  running,
} from "../support/scenario.ts";

let given_ = 0;
/** Services bind all that runs: each test has a brand and a source of its own. */
const fresh = () => {
  given_ += 1;
  return { brand: `scrubbed-${given_}`, name: `service-${given_}` };
};

const SECRET = "a secret of our own";

/** What the service was asked about, request by request. */
const askedIn = (service: Receiver): string[][] =>
  service.received.map(({ body }) => (JSON.parse(body) as { data: { phones: string[] } }).data.phones);

/** Answers for every number: listed, if it is among them. */
const listing =
  (listed: readonly string[], silentOn: readonly string[] = []) =>
  ({ body }: { body: string }): Reply => {
    const { phones } = (JSON.parse(body) as { data: { phones: string[] } }).data;
    const said = phones.filter((phone) => !silentOn.includes(phone));
    return {
      status: 200,
      body: JSON.stringify({
        listed: said.filter((phone) => listed.includes(phone)),
        clear: said.filter((phone) => !listed.includes(phone)),
      }),
    };
  };

describeLedgers("a scrubbing service", (ledger) => {
  const outbound = createOutbound({ allow: ["127.0.0.1"] });
  let service: Receiver;
  let nowMs = NOW_MS;
  let woken: string[] = [];
  let halted: string[] = [];
  const log = { info() {}, warn() {}, error() {} };

  beforeAll(async () => {
    service = await startReceiver();
  });
  afterAll(async () => {
    await service.close();
    await outbound.close();
  });
  beforeEach(() => {
    service.received.length = 0;
    service.answer = listing([]);
    nowMs = NOW_MS;
    woken = [];
    halted = [];
  });
  afterEach(async () => {
    const left = await rows<{ name: string }>(
      ledger().db,
      sql`select name from suppression_sources where removed_at is null`,
    );
    for (const { name } of left)
      await dropSource(ledger(), { name, reason: "over", actor: "test", nowMs: NOW_MS });
  });

  const scrubbing = (by: object = outbound) =>
    createScrubbing({
      ...noFollowUpPorts(),
      ledger: ledger(),
      outbound: by,
      secrets: {
        read(name: string) {
          if (name === "scrub-key") return [SECRET];
          throw new UnknownSecretError(name, `there is no secret "${name}"`);
        },
      },
      wake: { campaign: (id: string) => void woken.push(id), batch: (id: string) => void halted.push(id) },
      log,
      now: () => nowMs,
    } as unknown as ActivityDeps);

  /** What begins by itself every few seconds, and the turns of all services to their ends. */
  const ask = async (by: object = outbound) => {
    const turns = scrubbing(by);
    await turns.begin();
    await turns.settled();
  };

  const declare = (
    { name, brand }: { name: string; brand?: string },
    scrub: Partial<ScrubDeclared> = {},
    atMs = nowMs,
  ) =>
    declareSource(ledger(), {
      name,
      brand,
      maxAgeMs: undefined,
      type: "scrub",
      scrub: { url: service.url, secret: "scrub-key", cacheMs: DAY_MS, whenAway: "wait", ...scrub },
      actor: "test",
      dialByMarginMs: PACE.dialByMarginMs,
      nowMs: atMs,
    });

  const stateOf = async (id: string) =>
    (await contactsOf(ledger(), id)).map(({ state, reason }) => reason ?? state);

  describe("that answers", () => {
    it("is asked in one signed request, and whom it clears is dialed, whom it lists is not", async () => {
      const { brand, name } = fresh();
      const phones = freshPhones(3) as [string, string, string];
      await declare({ name, brand });
      const id = await running(ledger(), phones, { brand });
      expect((await plan(ledger(), id)).batchIds).toEqual([]);
      expect(await holdsOf(ledger(), id)).toMatchObject([
        { reason: "not_scrubbed", detail: expect.stringContaining(name) as string, until_ms: null },
      ]);
      service.answer = listing([phones[1]]);
      await ask();
      expect(askedIn(service)).toEqual([phones]);
      const { headers, body } = given(service.received[0]);
      expect(JSON.parse(body)).toMatchObject({ type: "numbers.scrub", data: { source: name, brand } });
      const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
      expect(headers["webhook-signature"]).toBe(
        `v1,${createHmac("sha256", SECRET).update(signed).digest("base64")}`,
      );
      expect(woken).toContain(id);
      const [batchId] = await planAndStart(ledger(), id);
      expect(await batchOf(ledger(), batchId)).toMatchObject({ size: 2 });
      expect(await stateOf(id)).toEqual(["leased", "suppressed", "leased"]);
      // The next hold of the campaign is none of this.
      expect((await holdsOf(ledger(), id)).filter((hold) => hold.until_ms === null)).toEqual([]);
      const told = await explainContact(ledger().db, id, phones[1]);
      expect(JSON.stringify(told)).toContain(`scrub ${name}`);
    });

    it("is asked about each number once, for all campaigns, for as long as its answer holds", async () => {
      const { brand, name } = fresh();
      const phones = freshPhones(2);
      await declare({ name, brand });
      await running(ledger(), phones, { brand });
      await running(ledger(), phones, { brand });
      await ask();
      await ask();
      nowMs = NOW_MS + DAY_MS - HOUR_MS;
      await ask();
      expect(askedIn(service)).toEqual([phones]);
      // Asked anew before the answer is of no use any more.
      nowMs = NOW_MS + DAY_MS - 15 * MINUTE_MS;
      await ask();
      expect(askedIn(service)).toEqual([phones, phones]);
    });

    it("bounds what is dialed by its answer: no batch dials beyond it, and none starts behind it", async () => {
      const { brand, name } = fresh();
      await declare({ name, brand }, { cacheMs: HOUR_MS });
      const id = await running(ledger(), freshPhones(1), { brand });
      await ask();
      const [batchId] = (await plan(ledger(), id)).batchIds;
      const { dialByMs } = await batchOf(ledger(), batchId);
      expect(dialByMs).toBeLessThanOrEqual(NOW_MS + HOUR_MS - PACE.dialByMarginMs);
      await create(ledger(), given(batchId));
      expect(await permit(ledger(), given(batchId), NOW_MS + HOUR_MS)).toMatchObject({ kind: "stopped" });
    });

    it("counts at the start, too: a service that was declared behind the planning is asked first", async () => {
      const { brand, name } = fresh();
      const id = await running(ledger(), freshPhones(1), { brand });
      const [batchId] = (await plan(ledger(), id)).batchIds;
      await create(ledger(), given(batchId));
      await declare({ name, brand });
      expect(await permit(ledger(), given(batchId))).toMatchObject({ kind: "stopped", reason: "policy" });
    });

    it("lets a contact that was put off for it go on at once, and not a minute later", async () => {
      const { brand, name } = fresh();
      const [phone, other] = freshPhones(2) as [string, string];
      await declare({ name, brand });
      const id = await running(ledger(), [phone, other], { brand });
      service.answer = listing([], [phone]);
      await ask();
      await planAndStart(ledger(), id);
      expect((await contactsOf(ledger(), id))[0]).toMatchObject({
        state: "open",
        due_ms: NOW_MS + 30 * MINUTE_MS,
      });
      // It is not asked over and over about what it says nothing of.
      nowMs += 29 * MINUTE_MS;
      await ask();
      expect(askedIn(service)).toEqual([[phone, other]]);
      nowMs += MINUTE_MS;
      service.answer = listing([]);
      // Somebody else's clock is a little ahead: the contact is still put off.
      await rows(
        ledger().db,
        sql`update contacts set due_at = due_at + interval '1 minute' where campaign_id = ${id}::uuid and state = 'open'`,
      );
      await rows(
        ledger().db,
        sql`update refusals set until_at = until_at + interval '1 minute'
            where contact_id in (select id from contacts where campaign_id = ${id}::uuid)`,
      );
      await ask();
      expect(askedIn(service)).toEqual([[phone, other], [phone]]);
      expect((await contactsOf(ledger(), id))[0]).toMatchObject({ state: "open", due_ms: nowMs });
    });

    it("stops a batch that is dialing somebody whom it lists now", async () => {
      const { brand, name } = fresh();
      const [phone, other] = freshPhones(2) as [string, string];
      await declare({ name, brand }, { cacheMs: HOUR_MS });
      const id = await running(ledger(), [phone], { brand });
      await ask();
      const [batchId] = await planAndStart(ledger(), id);
      // Another campaign asks about the same number when the answer is old.
      await running(ledger(), [phone, other], { brand });
      nowMs = NOW_MS + 50 * MINUTE_MS;
      service.answer = listing([phone]);
      await ask();
      expect(halted).toEqual([batchId]);
      expect(await batchOf(ledger(), batchId)).toMatchObject({ stopReason: "suppression" });
    });

    it("is asked for its scope alone, and not about who is suppressed anyway", async () => {
      const { brand, name } = fresh();
      const [mine, others, optedOut] = freshPhones(3) as [string, string, string];
      await declare({ name, brand });
      const id = await running(ledger(), [mine, optedOut], { brand });
      const entries = [{ phone: optedOut, brand, source: "call", reason: "asked" }];
      await ledger().transaction((tx) => addSuppressions(tx, { entries, actor: "test", nowMs }));
      const free = await running(ledger(), [others], { brand: `${brand}-other` });
      await ask();
      expect(askedIn(service)).toEqual([[mine]]);
      expect((await plan(ledger(), free)).batchIds).toHaveLength(1);
      expect((await plan(ledger(), id)).batchIds).toHaveLength(1);
      expect(await stateOf(id)).toEqual(["leased", "suppressed"]);
    });

    it("is asked about a thousand at once, in the order of the list, and whoever waits keeps nobody else", async () => {
      const { brand, name } = fresh();
      const phones = freshPhones(2_300);
      await declare({ name, brand });
      const id = await running(ledger(), phones, { brand, concurrency: 2 });
      service.answer = (delivery, n) => (n < 2 ? listing([])(delivery) : { status: 503 });
      await ask();
      expect(askedIn(service).map((asked) => asked.length)).toEqual([1_000, 1_000, 300]);
      expect(askedIn(service).flat()).toEqual(phones);
      // More than one planning looks at, of whom it said nothing, go before: the answered are dialed all the same.
      await rows(
        ledger().db,
        sql`update contacts set due_at = due_at - interval '1 hour' where campaign_id = ${id}::uuid and phone > ${given(phones[1_999])}`,
      );
      expect((await plan(ledger(), id)).batchIds.length).toBeGreaterThan(0);
      expect(
        (await contactsOf(ledger(), id)).filter(({ state }) => state === "leased").length,
      ).toBeGreaterThan(0);
    });

    it("is asked first about those who are called now, not about those who could only be called soon", async () => {
      const { brand, name } = fresh();
      const [due] = freshPhones(1) as [string];
      const retries = freshPhones(5_000);
      await declare({ name, brand });
      const id = await running(ledger(), [...retries, due], { brand });
      // Retries go before first calls, and these are due in 45 minutes.
      await rows(
        ledger().db,
        sql`update contacts set attempts = 1, due_at = due_at + interval '45 minutes' where campaign_id = ${id}::uuid and phone <> ${due}`,
      );
      await ask();
      expect(askedIn(service)[0]?.[0]).toBe(due);
      expect((await plan(ledger(), id)).batchIds).toHaveLength(1);
      expect(askedIn(service).flat()).toHaveLength(5_000);
    });

    it("is asked about those behind five thousand of whom it says nothing, and no more than so many ahead", async () => {
      const { brand, name } = fresh();
      const silent = freshPhones(5_000);
      const others = freshPhones(5_100);
      await declare({ name, brand });
      await running(ledger(), [...silent, ...others], { brand });
      service.answer = listing([], silent);
      await ask();
      expect(askedIn(service).flat()).toEqual(silent);
      service.received.length = 0;
      await ask();
      expect(askedIn(service).flat()).toEqual(others.slice(0, 5_000));
      service.received.length = 0;
      await ask();
      expect(askedIn(service)).toEqual([]);
    });

    it("is not asked about people who can't be called within the hour, nor while everything is stopped", async () => {
      const { brand, name } = fresh();
      await declare({ name, brand });
      // NOW_MS is 08:00 in New York.
      await running(ledger(), freshPhones(1), { brand, window: { weekdays: ["09:30-18:00"] } });
      await ask();
      expect(askedIn(service)).toEqual([]);
      nowMs += 45 * MINUTE_MS;
      await stopEverything(ledger().db, { reason: "test", actor: "test", nowMs });
      await ask();
      expect(askedIn(service)).toEqual([]);
      await goOn(ledger().db, { reason: "test", actor: "test", nowMs });
      await ask();
      expect(askedIn(service)).toHaveLength(1);
    });

    it("that is asked elsewhere from now on says anew of each number whether it may be dialed", async () => {
      const { brand, name } = fresh();
      const [first, second, listed] = freshPhones(3) as [string, string, string];
      // A service that is tried out calls everybody clear, on a clock that is a little ahead.
      await declare({ name, brand }, { url: `${service.url}/staging` });
      const id = await running(ledger(), [first, second, listed], { brand });
      service.answer = listing([listed], [second]);
      nowMs += 2_000;
      await ask();
      nowMs -= 1_000;
      await declare({ name, brand });
      expect((await plan(ledger(), id, nowMs)).batchIds).toEqual([]);
      // What is the same as before changes nothing.
      await declare({ name, brand });
      service.received.length = 0;
      service.answer = listing([second]);
      nowMs += 5_000;
      await ask();
      expect(askedIn(service)).toEqual([[first, second]]);
      await declare({ name, brand });
      expect((await plan(ledger(), id, nowMs)).batchIds).toHaveLength(1);
      expect(await stateOf(id)).toEqual(["leased", "suppressed", "suppressed"]);
    });

    it("is asked by one process at a time", async () => {
      const { brand, name } = fresh();
      const { source: declared } = await declare({ name, brand });
      const source = { ...declared, scrub: given(scrubOf(declared)) };
      const untilMs = nowMs + MINUTE_MS;
      const claim = (atMs: number, held = false) =>
        claimScrubber(ledger().db, { source, held, untilMs: atMs + MINUTE_MS, nowMs: atMs });
      const claims = await Promise.all([claim(nowMs), claim(nowMs), claim(nowMs)]);
      expect(claims.filter(Boolean)).toHaveLength(1);
      // Nobody asks it meanwhile, whoever looks.
      await running(ledger(), freshPhones(5), { brand });
      await ask();
      expect(askedIn(service)).toEqual([]);
      await releaseScrubber(ledger().db, source, untilMs);
      await ask();
      expect(askedIn(service)).toHaveLength(1);
      // One that died in the middle of a request is replaced.
      expect(await claim(nowMs)).toBe(true);
      expect(await claim(nowMs + MINUTE_MS - 1)).toBe(false);
      expect(await claim(nowMs + MINUTE_MS)).toBe(true);
    });

    it("lists somebody who then opts out: that is what is told, and what stands when it clears the number later", async () => {
      const { brand, name } = fresh();
      const [phone] = freshPhones(1) as [string];
      await declare({ name, brand }, { cacheMs: HOUR_MS });
      const told = await running(ledger(), [phone], { brand });
      const later = await running(ledger(), [phone], { brand });
      service.answer = listing([phone]);
      await ask();
      const entries = [{ phone, brand, source: "call", reason: "opted out in a call" }];
      await ledger().transaction((tx) => addSuppressions(tx, { entries, actor: "engine", nowMs }));
      await plan(ledger(), told);
      expect(JSON.stringify(await explainContact(ledger().db, told, phone))).toContain("opted out in a call");
      nowMs += 2 * HOUR_MS;
      // Nobody asks about whoever opted out; that the service would call them clear changes nothing.
      await ask();
      expect(service.received).toHaveLength(1);
      const { source } = await declare({ name, brand }, { cacheMs: HOUR_MS });
      const reading = { listed: new Map<string, string>(), clear: new Set([phone]), missing: [] };
      await ledger().transaction((tx) =>
        recordAnswers(tx, {
          source: { ...source, scrub: given(scrubOf(source)) },
          reading,
          askedAtMs: nowMs,
          nowMs,
        }),
      );
      expect((await plan(ledger(), later, nowMs)).batchIds).toEqual([]);
      expect(await stateOf(later)).toEqual(["suppressed"]);
      expect(JSON.stringify(await explainContact(ledger().db, later, phone))).toContain(
        "opted out in a call",
      );
    });

    it("is believed over a hand that took its verdict back, and contacts are free once it is gone", async () => {
      const { brand, name } = fresh();
      const [phone] = freshPhones(1) as [string];
      await declare({ name, brand });
      await running(ledger(), [phone], { brand });
      service.answer = listing([phone]);
      await ask();
      const taken = { phone, brand, reason: "test", actor: "test", nowMs };
      expect(await ledger().transaction((tx) => removeSuppression(tx, taken))).toHaveLength(1);
      const id = await running(ledger(), [phone], { brand });
      expect((await plan(ledger(), id)).batchIds).toEqual([]);
      expect(await stateOf(id)).toEqual(["open"]);
      await dropSource(ledger(), { name, reason: "over", actor: "test", nowMs });
      nowMs += HOUR_MS;
      expect((await plan(ledger(), id, nowMs)).batchIds).toHaveLength(1);
    });
  });

  describe("that is away", () => {
    const fail = async (times: number) => {
      for (let n = 0; n < times; n += 1) {
        await ask();
        nowMs += 5 * MINUTE_MS;
      }
    };

    it("keeps everybody waiting whom it has not answered for, tells people, and is left alone for longer each time", async () => {
      const { brand, name } = fresh();
      await declare({ name, brand });
      const id = await running(ledger(), freshPhones(2), { brand });
      service.answer = () => ({ status: 0 });
      await ask();
      await ask();
      // It rests for ten seconds.
      expect(service.received).toHaveLength(1);
      nowMs += 10_000;
      await ask();
      nowMs += 10_000;
      await ask();
      expect(service.received).toHaveLength(2);
      nowMs += 10_000;
      await ask();
      expect(service.received).toHaveLength(3);
      expect((await plan(ledger(), id, nowMs)).batchIds).toEqual([]);
      const waiting = { kind: "scrubber_failing" as const, subject: name, resolved: false, limit: 10 };
      expect((await listAttention(ledger().db, waiting)).items).toMatchObject([
        { summary: expect.stringContaining("is not dialed") as string },
      ]);
      service.answer = listing([]);
      nowMs += HOUR_MS;
      await ask();
      expect((await plan(ledger(), id, nowMs)).batchIds).toHaveLength(1);
      expect((await listAttention(ledger().db, waiting)).items).toEqual([]);
      expect(await readSource(ledger().db, name)).toMatchObject({ failures: 0, trouble: undefined });
    });

    it("is not in the way where its rule is to dial, once three requests failed, but of whom it listed before or was silent", async () => {
      const { brand, name } = fresh();
      const [listed, clear, silent, unknown] = freshPhones(4) as [string, string, string, string];
      await declare({ name, brand }, { whenAway: "dial", cacheMs: HOUR_MS });
      await running(ledger(), [listed, clear, silent], { brand });
      service.answer = listing([listed], [silent]);
      await ask();
      nowMs += 2 * HOUR_MS;
      const id = await running(ledger(), [listed, clear, silent, unknown], { brand }, nowMs);
      service.answer = () => ({ status: 503 });
      await fail(2);
      expect((await plan(ledger(), id, nowMs)).batchIds).toEqual([]);
      await fail(1);
      expect(woken).toContain(id);
      const { batchIds } = await plan(ledger(), id, nowMs);
      expect(batchIds).toHaveLength(1);
      expect(await stateOf(id)).toEqual(["open", "leased", "open", "leased"]);
      // It is known to be away for half an hour, and no longer.
      const { dialByMs } = await batchOf(ledger(), batchIds[0]);
      expect(dialByMs).toBeLessThan(nowMs + 30 * MINUTE_MS);
      const audited = await rows<{ action: string }>(
        ledger().db,
        sql`select action from audit where detail ->> 'name' = ${name} and action like '%.away'`,
      );
      expect(audited).toHaveLength(1);
      nowMs += HOUR_MS;
      const later = await running(ledger(), freshPhones(1), { brand }, nowMs);
      expect((await plan(ledger(), later, nowMs)).batchIds).toEqual([]);
    });

    it("is away by requests that had no answer, not by those with a wrong one", async () => {
      const { brand, name } = fresh();
      await declare({ name, brand }, { whenAway: "dial" });
      await running(ledger(), freshPhones(1), { brand });
      const statuses = [401, 401, 503, 503, 401, 503, 503, 503];
      service.answer = (_delivery, n) => ({ status: given(statuses[n]) });
      const away: boolean[] = [];
      for (let n = 0; n < statuses.length; n += 1) {
        nowMs += 15 * MINUTE_MS;
        await ask();
        away.push((await readSource(ledger().db, name))?.awaySinceMs !== undefined);
      }
      expect(away).toEqual([false, false, false, false, false, false, false, true]);
    });

    it.each([
      ["ENOTFOUND", false],
      ["CERT_HAS_EXPIRED", false],
      ["ERR_TLS_CERT_ALTNAME_INVALID", false],
      ["EAI_AGAIN", true],
      ["ECONNREFUSED", true],
    ])("where a connection fails with %s: %s", async (code, isAway) => {
      const { brand, name } = fresh();
      await declare({ name, brand }, { whenAway: "dial" });
      const id = await running(ledger(), freshPhones(1), { brand });
      const failing = { request: () => Promise.reject(new OutboundError("it", "connection", code, false)) };
      for (let n = 0; n < 3; n += 1) {
        nowMs += 5 * MINUTE_MS;
        await ask(failing);
      }
      expect((await readSource(ledger().db, name))?.awaySinceMs !== undefined).toBe(isAway);
      expect((await plan(ledger(), id, nowMs)).batchIds).toHaveLength(isAway ? 1 : 0);
    });

    it("and is put meanwhile: whoever writes down what it said waits for that, and for nothing else", async () => {
      // The embedded ledger has one connection.
      if (ledger().kind === "embedded") return;
      const { brand, name } = fresh();
      const { source: declared } = await declare({ name, brand });
      const source = { ...declared, scrub: given(scrubOf(declared)) };
      const failure = { kind: "away" as const, text: "test" };
      const writes: ((tx: Db) => Promise<unknown>)[] = [
        (tx: Db) => recordScrubFailure(tx, { source, failure, nowMs }),
        (tx: Db) =>
          recordAnswers(tx, {
            source,
            reading: { listed: new Map(), clear: new Set(["+12025550199"]), missing: [] },
            askedAtMs: nowMs,
            nowMs,
          }),
      ];
      for (const write of writes) {
        let written: Promise<unknown> | undefined;
        await ledger().transaction(async (tx) => {
          await rows(tx, sql`lock table suppression_sources in share row exclusive mode`);
          written = elsewhere(() => ledger().transaction(write));
          for (let waiting = 0; waiting === 0;) {
            const found = await elsewhere(() =>
              rows<{ n: number }>(
                ledger().db,
                sql`select count(*)::int as n from pg_locks where not granted and relation = 'suppression_sources'::regclass`,
              ),
            );
            waiting = found[0]?.n ?? 0;
          }
          await rows(tx, sql`update suppression_sources set type = type where name = ${name}`);
        });
        expect(await written).toBeTruthy();
      }
    });

    it("is left alone for as long as it asks, a quarter of an hour at most", async () => {
      const { brand, name } = fresh();
      await declare({ name, brand });
      await running(ledger(), freshPhones(1), { brand });
      service.answer = () => ({ status: 429, headers: { "retry-after": "120" } });
      await ask();
      expect((await readSource(ledger().db, name))?.askAfterMs).toBe(NOW_MS + 2 * MINUTE_MS);
      nowMs += 2 * MINUTE_MS;
      service.answer = () => ({ status: 429, headers: { "retry-after": "86400" } });
      await ask();
      expect((await readSource(ledger().db, name))?.askAfterMs).toBe(nowMs + 15 * MINUTE_MS);
    });
  });

  describe("that answers what it should not", () => {
    const clearOf = (body: string) => (JSON.parse(body) as { data: { phones: string[] } }).data.phones;
    it.each<[string, (body: string) => Reply]>([
      ["no JSON", () => ({ status: 200, body: "<html>ok</html>" })],
      ["nothing", () => ({ status: 204 })],
      ["a bare list", (body) => ({ status: 200, body: JSON.stringify(clearOf(body)) })],
      ["no clear ones", () => ({ status: 200, body: '{"listed": []}' })],
      ["words for lists", () => ({ status: 200, body: '{"listed": "none", "clear": "all"}' })],
      [
        "more than is read",
        (body) => ({
          status: 200,
          body: JSON.stringify({ pad: "x".repeat(600_000), listed: [], clear: clearOf(body) }),
        }),
      ],
      [
        "packed",
        (body) => ({
          status: 200,
          headers: { "content-encoding": "gzip" },
          body: JSON.stringify({ listed: [], clear: clearOf(body) }),
        }),
      ],
      ["elsewhere", () => ({ status: 302, headers: { location: "http://127.0.0.1:9/" } })],
      ["that we may not", () => ({ status: 401 })],
    ])("%s: is for people to mend, and nobody is dialed by it, whatever its rule", async (_what, answer) => {
      const { brand, name } = fresh();
      await declare({ name, brand }, { whenAway: "dial" });
      const id = await running(ledger(), freshPhones(1), { brand });
      service.answer = ({ body }) => answer(body);
      for (let n = 0; n < 4; n += 1) {
        await ask();
        nowMs += 5 * MINUTE_MS;
      }
      expect(service.received).toHaveLength(4);
      expect((await plan(ledger(), id, nowMs)).batchIds).toEqual([]);
      expect(await readSource(ledger().db, name)).toMatchObject({ failures: 4, awaySinceMs: undefined });
      const { items } = await listAttention(ledger().db, {
        kind: "scrubber_failing",
        subject: name,
        resolved: false,
        limit: 10,
      });
      expect(items).toHaveLength(1);
    });

    it("and says nothing of the one number of a call that was placed: the service is none that fails", async () => {
      const { brand, name } = fresh();
      const [uncovered] = freshPhones(1) as [string];
      await declare({ name, brand }, { whenAway: "wait" });
      const id = await running(ledger(), [uncovered], { brand });
      service.answer = () => ({ status: 200, body: '{"listed": [], "clear": []}' });
      await ask();
      expect((await plan(ledger(), id)).batchIds).toEqual([]);
      const { items } = await listAttention(ledger().db, {
        kind: "scrubber_failing",
        subject: name,
        resolved: false,
        limit: 10,
      });
      expect(items).toEqual([]);
      expect(await readSource(ledger().db, name)).toMatchObject({ failures: 0, trouble: undefined });
    });

    it("is asked once a turn about numbers that several campaigns share, and all of these go on", async () => {
      const { brand, name } = fresh();
      const shared = freshPhones(30);
      await declare({ name, brand }, { whenAway: "wait" });
      const ids = [
        await running(ledger(), shared, { brand, name: `one of ${brand}` }),
        await running(ledger(), shared, { brand, name: `two of ${brand}` }),
      ];
      service.answer = listing([]);
      await ask();
      expect(askedIn(service).flat().toSorted()).toEqual(shared.toSorted());
      for (const id of ids) {
        await plan(ledger(), id);
        expect((await holdsOf(ledger(), id)).map(({ reason }) => reason)).not.toContain("not_scrubbed");
      }
    });

    it("and says nothing of anybody: nobody is dialed by that, people are told, and others are asked about", async () => {
      const { brand, name } = fresh();
      const uncovered = freshPhones(1_000);
      const covered = freshPhones(5);
      await declare({ name, brand }, { whenAway: "dial" });
      const silent = await running(ledger(), uncovered, { brand }, nowMs - 1_000);
      const id = await running(ledger(), covered, { brand });
      const troubles = async () =>
        (
          await listAttention(ledger().db, {
            kind: "scrubber_failing",
            subject: name,
            resolved: false,
            limit: 10,
          })
        ).items.map(({ summary }) => summary);
      service.answer = (delivery, n) =>
        n === 0
          ? { status: 200, body: '{"listed": [], "clear": ["+12025550100", 7, null]}' }
          : listing([], uncovered)(delivery);
      await ask();
      expect(askedIn(service)).toEqual([uncovered, covered]);
      expect((await plan(ledger(), id)).batchIds).toHaveLength(1);
      expect((await plan(ledger(), silent)).batchIds).toEqual([]);
      expect(await troubles()).toEqual([]);
      // They rest for half an hour, and the service is asked nothing meanwhile.
      await ask();
      expect(service.received).toHaveLength(2);
      nowMs += 31 * MINUTE_MS;
      await ask();
      expect(service.received).toHaveLength(3);
      expect(await troubles()).toEqual([
        expect.stringContaining("nothing of any of the 1000 numbers") as string,
      ]);
      expect(await readSource(ledger().db, name)).toMatchObject({
        failures: 0,
        trouble: expect.stringContaining("nothing of any") as string,
      });
      // Away or not, they are not dialed.
      service.answer = () => ({ status: 503 });
      await running(ledger(), freshPhones(1), { brand }, nowMs);
      for (let n = 0; n < 4; n += 1) {
        nowMs += 15 * MINUTE_MS;
        await ask();
      }
      expect((await readSource(ledger().db, name))?.awaySinceMs).toBeDefined();
      await plan(ledger(), silent, nowMs);
      expect(new Set(await stateOf(silent))).toEqual(new Set(["open"]));
    });

    it("or whose secret or address is not fit: as well", async () => {
      const { brand, name } = fresh();
      await declare({ name, brand }, { whenAway: "dial", secret: "gone" });
      const id = await running(ledger(), freshPhones(1), { brand });
      await ask();
      expect((await readSource(ledger().db, name))?.trouble).toContain("gone");
      await declare({ name, brand }, { whenAway: "dial", url: "http://10.1.2.3/" });
      // Declared anew it is asked at once.
      await ask();
      expect((await readSource(ledger().db, name))?.trouble).toContain("OUTDIAL_OUTBOUND_ALLOW");
      expect(service.received).toEqual([]);
      expect((await plan(ledger(), id, nowMs)).batchIds).toEqual([]);
    });

    it("may list a thousand at once, each with its reason", async () => {
      const { brand, name } = fresh();
      await declare({ name, brand });
      const id = await running(ledger(), freshPhones(1_000), { brand });
      service.answer = ({ body }) => ({
        status: 200,
        body: JSON.stringify({
          listed: clearOf(body).map((phone) => ({ phone, reason: `of the register ${"x".repeat(200)}` })),
          clear: [],
        }),
      });
      await ask();
      await plan(ledger(), id);
      expect(new Set(await stateOf(id))).toEqual(new Set(["suppressed"]));
    });

    it("lists whoever is in both of its lists", async () => {
      const { brand, name } = fresh();
      const [phone] = freshPhones(1) as [string];
      await declare({ name, brand });
      const id = await running(ledger(), [phone], { brand });
      const body = JSON.stringify({ listed: [{ phone, reason: "litigator" }], clear: [phone] });
      service.answer = () => ({ status: 200, body });
      await ask();
      await plan(ledger(), id);
      expect(await stateOf(id)).toEqual(["suppressed"]);
    });
  });

  describe("what a campaign requires", () => {
    const required = (name: string) => ({ requires_sources: [name] });
    const list = (name: string, brand?: string) =>
      declareSource(ledger(), {
        name,
        brand,
        maxAgeMs: undefined,
        type: "do_not_call",
        actor: "test",
        dialByMarginMs: PACE.dialByMarginMs,
        nowMs: NOW_MS,
      });
    const renewed = (name: string) =>
      rows(
        ledger().db,
        sql`update suppression_sources set renewed_at = ${new Date(NOW_MS).toISOString()}::timestamptz where name = ${name}`,
      );

    it("must be there, be for its brand and have a list, and until then nobody is called", async () => {
      const { brand, name } = fresh();
      const id = await running(ledger(), freshPhones(1), { brand, ...required(name) });
      const detail = async () => {
        expect((await plan(ledger(), id)).batchIds).toEqual([]);
        return (await holdsOf(ledger(), id)).find((hold) => hold.until_ms === null);
      };
      expect(await detail()).toMatchObject({
        reason: "missing_source",
        detail: expect.stringContaining(`suppress source put ${name}`) as string,
      });
      await list(name, "another");
      expect((await detail())?.detail).toContain("none of that name for its brand");
      await list(name, brand);
      expect((await detail())?.detail).toContain("has no list yet");
      await renewed(name);
      expect((await plan(ledger(), id)).batchIds).toHaveLength(1);
    });

    it("stops what dials without it, once it is taken away", async () => {
      const { brand, name } = fresh();
      await list(name, brand);
      await renewed(name);
      const id = await running(ledger(), freshPhones(1), { brand, ...required(name) });
      const [batchId] = await planAndStart(ledger(), id);
      const binding = { dialByMarginMs: PACE.dialByMarginMs, nowMs: NOW_MS };
      expect(await bindToLists(ledger(), binding)).toEqual({ stoppedBatchIds: [], left: 0 });
      await dropSource(ledger(), { name, reason: "over", actor: "test", nowMs: NOW_MS });
      expect(await bindToLists(ledger(), binding)).toEqual({ stoppedBatchIds: [batchId], left: 0 });
    });
  });
});
