import { sql } from "drizzle-orm";
import { createHmac, randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";

import { takeDelivery } from "../../../src/chores/triggers/take-delivery.ts";
import { UnknownSecretError } from "../../../src/domain/ground/secrets.ts";
import { LedgerUnavailableError, rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { pruneDeliveries, readDelivery } from "../../../src/ledger/triggers/deliveries.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { exitEnrolments } from "../../../src/ledger/sequences/trigger-exits.ts";
import { setTriggerEnabled } from "../../../src/ledger/triggers/triggers.ts";
import {
  enrolmentsOf,
  freshName,
  intakeDeps,
  outboxOf,
  sequenceOf,
  triggerOf,
} from "../../support/intake.ts";
import { enrolled, turn } from "../../ledger/support/enrolling.ts";
import { describeSomeLedger, elsewhere, given } from "../../support/ledgers.ts";
import { secretsOf } from "../../support/secrets.ts";
import { until } from "../../support/until.ts";
import { openApi, phonesFrom, platformAt } from "../support.ts";

const TOKEN = "the-token-of-the-crm";
const API_TOKEN = "a-token-of-this-test-0123456789";
const DAY_MS = 86_400_000;

const secrets = {
  read(name: string): readonly string[] {
    if (name === "crm") return [TOKEN, "the-one-before"];
    throw new UnknownSecretError(name, `secret ${name} is not set`);
  },
};

let phones = 3_000;
const freshPhone = () => given(phonesFrom((phones += 1), 1)[0]);

type Answer = { status: number; body: Record<string, unknown>; retryAfter: string | null };

/** Over a socket, as senders come: behind a tunnel that has a name of its own. */
async function listening(ledger: Ledger, changes: Parameters<typeof openApi>[1] = {}) {
  const api = await openApi(ledger, { token: API_TOKEN, secrets, ...changes });
  const url = await api.app.listen({ host: "127.0.0.1", port: 0 });
  const send = async (
    name: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(`${url}/v1/triggers/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${TOKEN}`, ...headers },
      body,
    });
    const { instance: _, ...answered } = (await response.json()) as Record<string, unknown>;
    return {
      status: response.status,
      // Without the request's id, which is another each time.
      body: answered,
      retryAfter: response.headers.get("retry-after"),
    };
  };
  return { ...api, url, send };
}

/** As the relay would: everything that waits, until nothing waits. */
async function workOff(ledger: Ledger, now: () => number = Date.now): Promise<void> {
  const deps = intakeDeps(ledger, platformAt("http://127.0.0.1:9", "key"), now);
  const waiting = await outboxOf(ledger, "delivery");
  await Promise.all(waiting.map((deliveryId) => takeDelivery(deps, { deliveryId })));
  await rows(ledger.db, sql`delete from outbox where kind = 'delivery'`);
}

/** What the person's enrolments heard, the first one first. */
async function heardBy(ledger: Ledger, phone: string): Promise<{ state: string; heard: string[] }[]> {
  return rows(
    ledger.db,
    sql`select e.state, coalesce(jsonb_agg(coalesce(i.name, i.kind) order by i.id) filter (where i.id is not null), '[]') as heard
        from enrolments e left join enrolment_inbox i on i.enrolment_id = e.id
        where e.phone = ${phone} group by e.id order by e.state desc, e.created_at`,
  );
}

const shownAs = (answer: Answer) => answer.body["delivery_id"] as string;

describeSomeLedger("triggers", (ledger) => {
  describe("what comes through one", () => {
    it("from many senders at once is taken together: each once, each with its own answer", async () => {
      let transactions = 0;
      const counted: Ledger = {
        ...ledger(),
        transaction: (work) => {
          transactions += 1;
          return ledger().transaction(work);
        },
      };
      const { send } = await listening(counted);
      const trigger = await triggerOf(ledger(), await sequenceOf(ledger()));
      const phonesSent = Array.from({ length: 60 }, () => freshPhone());
      const sent = phonesSent.flatMap((phone, nth) => {
        const headers = { "webhook-id": `msg_${phone}` };
        const body = JSON.stringify({ phone });
        const again = { body, headers };
        if (nth % 3 === 0) return [again, again];
        const other = { body: JSON.stringify({ phone, n: nth }), headers };
        return nth % 3 === 1 ? [again, other, other] : [again];
      });
      const answers = await Promise.all(sent.map(({ body, headers }) => send(trigger.name, body, headers)));
      expect(answers.filter(({ status }) => status === 202)).toHaveLength(phonesSent.length);
      expect(new Set(answers.map(shownAs)).size).toBe(phonesSent.length);
      const stored = await rows<{ times: number; differing: boolean; n: number }>(
        ledger().db,
        sql`select times, key like '%#differs:%' as differing, count(*)::int as n from deliveries
            where trigger_id = ${trigger.id}::uuid group by 1, 2 order by 2, 1`,
      );
      // Whichever of two bodies came first is the delivery; the other one stands beside it, as often as it came.
      expect(stored.reduce((all, { n }) => all + n, 0)).toBe(phonesSent.length + 20);
      expect(stored.filter(({ differing }) => differing).reduce((all, { n }) => all + n, 0)).toBe(20);
      expect(await outboxOf(ledger(), "delivery")).toHaveLength(phonesSent.length + 20);
      expect(transactions, "each alone would have taken as many as there are").toBeLessThan(sent.length / 2);
      await workOff(ledger());
    });

    it("does not wait for a key that somebody else has in hand", async () => {
      if (ledger().kind === "embedded") return;
      const { send } = await listening(ledger());
      const trigger = await triggerOf(ledger(), await sequenceOf(ledger()));
      const sendAs = (id: string) =>
        send(trigger.name, JSON.stringify({ phone: freshPhone() }), { "webhook-id": id });
      await sendAs("held");
      let letGo: (() => void) | undefined;
      const held = ledger().transaction(async (tx) => {
        await rows(tx, sql`select 1 as one from deliveries where key = 'webhook-id:held' for update`);
        await new Promise<void>((resolve) => {
          letGo = resolve;
        });
      });
      await until("the lock", () => letGo !== undefined);
      const first = sendAs("first");
      const waiting = sendAs("held");
      const others = await Promise.all(Array.from({ length: 20 }, (_, n) => sendAs(`beside ${n}`)));
      expect(others.map(({ status }) => status)).toEqual(others.map(() => 202));
      expect((await first).status).toBe(202);
      letGo?.();
      await held;
      expect((await waiting).status).toBe(200);
      await workOff(ledger());
    });

    it("a hundred times at once, reordered, and three days later starts one sequence", async () => {
      let nowMs = Date.now();
      const { send } = await listening(ledger(), { now: () => nowMs });
      const sequence = await sequenceOf(ledger());
      const trigger = await triggerOf(ledger(), sequence);
      const phone = freshPhone();
      const bodies = [`{"phone": "${phone}", "n": 1}`, `{"n":1,"phone":"${phone}"}`];
      const headers = { "webhook-id": "msg_1" };
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, nth) => send(trigger.name, given(bodies[nth % 2]), headers)),
      );
      expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(99);
      expect(new Set(answers.map(shownAs)).size).toBe(1);
      await Promise.all([workOff(ledger()), workOff(ledger())]);
      nowMs += 3 * DAY_MS;
      const late = await send(trigger.name, given(bodies[1]), headers);
      expect(late).toMatchObject({ status: 200, body: { duplicate: true } });
      await workOff(ledger(), () => nowMs);
      expect(await enrolmentsOf(ledger(), sequence)).toMatchObject([
        { phone, state: "active", source: `trigger ${trigger.name}` },
      ]);
      const delivery = given(await readDelivery(ledger().db, shownAs(late)));
      expect(delivery).toMatchObject({ state: "done", times: 101 });
    });

    it("in lists that share events, in whatever order, starts each person once", async () => {
      const { send } = await listening(ledger());
      const sequence = await sequenceOf(ledger(), { re_enrolment: { policy: "restart" } });
      const trigger = await triggerOf(ledger(), sequence, {
        each: "payload",
        idempotency: { field: "item.id" },
      });
      const people = Array.from({ length: 4 }, (_, id) => ({ id: String(id), phone: freshPhone() }));
      const [a, b, c, d] = people;
      for (const list of [[a, b], [b, a, c], [d], [c, d]]) {
        expect((await send(trigger.name, JSON.stringify(list))).status).toBe(202);
        await workOff(ledger());
      }
      const enrolled = await enrolmentsOf(ledger(), sequence);
      expect(enrolled.map(({ phone }) => phone)).toEqual(people.map(({ phone }) => phone));
    });

    describe("again under its key, with another body", () => {
      /** Two bodies under one key, worked off; the second delivery, which stands beside the first. */
      async function twice(trigger: { name: string; id: string }, first: object, second: object) {
        const { send, app } = await listening(ledger());
        const headers = { "webhook-id": `msg_${(phones += 1)}` };
        const sent = await send(trigger.name, JSON.stringify(first), headers);
        expect(sent.status).toBe(202);
        for (let nth = 0; nth < 2; nth += 1) {
          const again = await send(trigger.name, JSON.stringify(second), headers);
          expect(again).toMatchObject({
            status: 200,
            body: { delivery_id: shownAs(sent), duplicate: true, differs: true },
          });
        }
        await workOff(ledger());
        const listed = await app.inject({
          url: `/v1/triggers/${trigger.name}/deliveries`,
          headers: { authorization: `Bearer ${API_TOKEN}` },
        });
        const { items } = listed.json<{
          items: { id: string; state: string; times: number; result: object }[];
        }>();
        expect(items).toHaveLength(2);
        return { app, first: shownAs(sent), second: given(items.find(({ id }) => id !== shownAs(sent))) };
      }

      it("is a conflict where the key is the request's own, and is kept for people all the same", async () => {
        const { send } = await listening(ledger());
        const trigger = await triggerOf(ledger(), await sequenceOf(ledger()));
        const headers = { "idempotency-key": `request ${(phones += 1)}` };
        const [one, other] = [freshPhone(), freshPhone()].map((phone) => JSON.stringify({ phone }));
        const sent = await send(trigger.name, given(one), headers);
        expect(sent.status).toBe(202);
        expect(await send(trigger.name, given(one), headers)).toMatchObject({
          status: 200,
          body: { duplicate: true },
        });
        expect(await send(trigger.name, given(other), headers)).toMatchObject({
          status: 409,
          body: { code: "idempotency_key_reused", delivery_id: shownAs(sent) },
        });
        await workOff(ledger());
        const kept = await rows<{ state: string }>(
          ledger().db,
          sql`select state from deliveries where trigger_id = ${trigger.id}::uuid order by received_at, id`,
        );
        expect(kept.map(({ state }) => state).sort()).toEqual(["done", "failed"]);
      });

      it("asks for the same as long as only what is not looked at has changed, and nobody hears of it", async () => {
        const sequence = await sequenceOf(ledger());
        const trigger = await triggerOf(ledger(), sequence);
        const phone = freshPhone();
        const { first, second } = await twice(
          trigger,
          { phone, sent_at: 1, attempt: 1 },
          { attempt: 2, sent_at: 9, phone },
        );
        expect(second).toMatchObject({ state: "ignored", times: 2, result: { repeats: first } });
        expect(await enrolmentsOf(ledger(), sequence)).toHaveLength(1);
      });

      it("and for somebody else, is lost to nobody: people see it, and may have it acted on", async () => {
        const sequence = await sequenceOf(ledger());
        const trigger = await triggerOf(ledger(), sequence);
        const [one, other] = [freshPhone(), freshPhone()];
        const { app, first, second } = await twice(trigger, { phone: one }, { phone: other });
        expect(second).toMatchObject({ state: "failed", times: 2, result: { differs_from: first } });
        const entries = () =>
          rows<{ summary: string; remedy: string; resolved_at: string | null }>(
            ledger().db,
            sql`select summary, remedy, resolved_at from attention where kind = 'delivery_differs' and subject = ${second.id}`,
          );
        expect(await entries()).toMatchObject([
          {
            summary: expect.stringContaining(first),
            remedy: expect.stringContaining(`outdial trigger retry ${trigger.name} --id ${second.id}`),
            resolved_at: null,
          },
        ]);
        const post = (url: string) =>
          app.inject({ method: "POST", url, headers: { authorization: `Bearer ${API_TOKEN}` } });
        // Whoever has all that failed worked off again does not mean this.
        expect((await post(`/v1/triggers/${trigger.name}/retry`)).json()).toEqual({
          retried: 0,
          next_after: null,
        });
        expect((await enrolmentsOf(ledger(), sequence)).map(({ phone }) => phone)).toEqual([one]);
        expect((await post(`/v1/deliveries/${second.id}/retry`)).json()).toEqual({ retried: 1 });
        await workOff(ledger());
        expect((await enrolmentsOf(ledger(), sequence)).map(({ phone }) => phone)).toEqual([one, other]);
        expect((await entries())[0]?.resolved_at).not.toBeNull();
      });

      it("and for somebody else, is left undone where a person says so, and its entry is resolved", async () => {
        const sequence = await sequenceOf(ledger());
        const trigger = await triggerOf(ledger(), sequence);
        const { app, second } = await twice(trigger, { phone: freshPhone() }, { phone: freshPhone() });
        const headers = { authorization: `Bearer ${API_TOKEN}` };
        const url = `/v1/deliveries/${second.id}/skip`;
        expect((await app.inject({ method: "POST", url, headers, payload: {} })).statusCode).toBe(200);
        const entries = await rows<{ resolution: string | null }>(
          ledger().db,
          sql`select resolution from attention where kind = 'delivery_differs' and subject = ${second.id}`,
        );
        expect(entries).toEqual([{ resolution: "what failed of it is left undone" }]);
        expect(await enrolmentsOf(ledger(), sequence)).toHaveLength(1);
      });
    });

    it("is told apart by key: header before field, field before body", async () => {
      const { send } = await listening(ledger());
      const sequence = await sequenceOf(ledger());
      const plain = await triggerOf(ledger(), sequence);
      const byField = await triggerOf(ledger(), sequence, { idempotency: { field: "payload.id" } });
      const byHeader = await triggerOf(ledger(), sequence, { idempotency: { header: "X-Request-Id" } });
      const status = async (name: string, body: object, headers: Record<string, string> = {}) =>
        (await send(name, JSON.stringify({ phone: "+12025550143", ...body }), headers)).status;
      expect(await status(plain.name, { n: 1 })).toBe(202);
      expect(await status(plain.name, { n: 1 })).toBe(200);
      expect(await status(plain.name, { n: 1 }, { "idempotency-key": "k" })).toBe(202);
      expect(await status(plain.name, { n: 2 }, { "idempotency-key": "k" })).toBe(409);
      expect(await status(plain.name, { n: 2 }, { "idempotency-key": "k", "webhook-id": "w" })).toBe(202);
      expect(await status(byField.name, { id: 7, n: 1 })).toBe(202);
      expect(await status(byField.name, { id: 7, n: 2 }, { "webhook-id": "another" })).toBe(200);
      expect(await status(byField.name, { id: "x\0".repeat(500) })).toBe(202);
      expect(await status(byHeader.name, { n: 1 }, { "x-request-id": "1" })).toBe(202);
      expect(await status(byHeader.name, { n: 2 }, { "x-request-id": "1", "webhook-id": "w" })).toBe(200);
    });

    it("as a form is taken, too", async () => {
      const { send } = await listening(ledger());
      const sequence = await sequenceOf(ledger());
      const trigger = await triggerOf(ledger(), sequence);
      const phone = freshPhone();
      const type = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
      expect((await send(trigger.name, `phone=${encodeURIComponent(phone)}`, type)).status).toBe(202);
      await workOff(ledger());
      expect(await enrolmentsOf(ledger(), sequence)).toMatchObject([{ phone }]);
    });
  });

  describe("an item that is sent again", () => {
    const byId = { each: "payload", idempotency: { field: "text(item.id)" }, enroll: undefined };
    const didOf = async (answer: Answer) => {
      const delivery = given(await readDelivery(ledger().db, shownAs(answer)));
      const items = delivery.result?.["items"] as { n: number; state: string; did: object[] }[];
      return items.map(({ did }) => did);
    };
    /** As if the process had died before it wrote down that the delivery was worked off. */
    const notEnded = (answer: Answer) =>
      rows(
        ledger().db,
        sql`update deliveries set state = 'received', result = null, ended_at = null where id = ${shownAs(answer)}::uuid`,
      );
    const again = async (answer: Answer, over: Ledger = ledger()) =>
      takeDelivery(intakeDeps(over, platformAt("http://127.0.0.1:9", "key")), {
        deliveryId: shownAs(answer),
      });

    it("in another request ends no later enrolment", async () => {
      const { send } = await listening(ledger());
      const sequence = await sequenceOf(ledger());
      const trigger = await triggerOf(ledger(), sequence, {
        ...byId,
        exit: { sequence, phone: "item.phone" },
      });
      const [phone, other] = [freshPhone(), freshPhone()];
      const first = await enrolled(ledger(), sequence, { phone });
      const one = await send(trigger.name, JSON.stringify([{ id: "k1", phone }]));
      await workOff(ledger());
      await turn(ledger(), first, Date.now());
      await enrolled(ledger(), sequence, { phone });
      const items = [
        { id: "k0", phone: other },
        { id: "k1", phone },
      ];
      const two = await send(trigger.name, JSON.stringify(items));
      await workOff(ledger());
      expect(await heardBy(ledger(), phone)).toEqual([
        { state: "done", heard: ["exit"] },
        { state: "active", heard: [] },
      ]);
      expect(await didOf(one)).toEqual([[{ what: "exit", told: 1 }]]);
      expect(await didOf(two)).toEqual([
        [{ what: "exit", told: 0 }],
        [{ what: "exit", told: 1, repeated: true }],
      ]);
    });

    it("is told to nobody who came later, whether anybody heard it then or not", async () => {
      const { send } = await listening(ledger());
      const sequence = await sequenceOf(ledger());
      const trigger = await triggerOf(ledger(), sequence, {
        ...byId,
        event: { name: "bought", phone: "item.phone" },
      });
      const [phone, late] = [freshPhone(), freshPhone()];
      const first = await enrolled(ledger(), sequence, { phone });
      const items = [
        { id: 1, phone },
        { id: 2, phone: late },
      ];
      await send(trigger.name, JSON.stringify(items));
      await workOff(ledger());
      await ledger().transaction((tx) =>
        exitEnrolments(tx, {
          brand: "default",
          phone,
          sequenceName: sequence,
          outcome: "left",
          reason: "asked",
          requestKey: "left",
          actor: "test",
          nowMs: Date.now(),
        }),
      );
      await turn(ledger(), first, Date.now());
      for (const one of [phone, late]) await enrolled(ledger(), sequence, { phone: one });
      const answer = await send(trigger.name, JSON.stringify([...items, { id: 1, phone: late }]));
      await workOff(ledger());
      expect(await heardBy(ledger(), phone)).toEqual([
        { state: "done", heard: ["bought", "exit"] },
        { state: "active", heard: [] },
      ]);
      expect(await heardBy(ledger(), late)).toEqual([{ state: "active", heard: [] }]);
      expect(await didOf(answer)).toEqual([
        [{ what: "event", told: 1, heard: 0, repeated: true }],
        [{ what: "event", told: 0, heard: 0, repeated: true }],
        [{ what: "event", told: 1, heard: 0, repeated: true }],
      ]);
    });

    it("enrolls nobody who was in the sequence then, or suppressed, and is not any more", async () => {
      const { send } = await listening(ledger());
      const sequence = await sequenceOf(ledger());
      const { enroll: _none, ...keyed } = byId;
      const trigger = await triggerOf(ledger(), sequence, keyed);
      const leaving = await triggerOf(ledger(), sequence, {
        ...byId,
        exit: { sequence, phone: "item.phone" },
      });
      const [phone, suppressed] = [freshPhone(), freshPhone()];
      const entries = [{ phone: suppressed, brand: "default", source: "test", reason: "asked" }];
      await ledger().transaction((tx) => addSuppressions(tx, { entries, actor: "test", nowMs: Date.now() }));
      const there = await enrolled(ledger(), sequence, { phone });
      const items = [
        { id: "a", phone },
        { id: "b", phone: suppressed },
      ];
      await send(trigger.name, JSON.stringify(items));
      await send(leaving.name, JSON.stringify([{ id: "a", phone }]));
      await workOff(ledger());
      await turn(ledger(), there, Date.now());
      await rows(ledger().db, sql`delete from suppressions where phone = ${suppressed}`);
      const answer = await send(trigger.name, JSON.stringify([...items].reverse()));
      await workOff(ledger());
      expect(await enrolmentsOf(ledger(), sequence)).toMatchObject([{ id: there, state: "done" }]);
      expect(await didOf(answer)).toMatchObject([
        [{ what: "enroll", reason: "suppressed", repeated: true }],
        [{ what: "enroll", enrolment_id: there, already: true, repeated: true }],
      ]);
    });

    it("by two requests at the same moment is done for one of them", async () => {
      const { send } = await listening(ledger());
      const sequence = await sequenceOf(ledger());
      const trigger = await triggerOf(ledger(), sequence, {
        ...byId,
        event: { name: "bought", phone: "item.phone" },
      });
      const phone = freshPhone();
      await enrolled(ledger(), sequence, { phone });
      const answers = [];
      for (const n of [1, 2, 3])
        answers.push(await send(trigger.name, JSON.stringify([{ id: "k", phone, n }])));
      await workOff(ledger());
      expect(await heardBy(ledger(), phone)).toMatchObject([{ heard: ["bought"] }]);
      const did = (await Promise.all(answers.map(didOf))).flat(2);
      expect(did.filter((one) => "repeated" in one)).toHaveLength(2);
    });

    it("by ourselves, since it was not written down that it was done, finds what was done", async () => {
      const { send } = await listening(ledger());
      const sequence = await sequenceOf(ledger());
      const exit = { sequence, phone: "item.phone" };
      for (const trigger of [
        await triggerOf(ledger(), sequence, { ...byId, exit }),
        await triggerOf(ledger(), sequence, { enroll: undefined, each: "payload", exit }),
      ]) {
        const phone = freshPhone();
        const first = await enrolled(ledger(), sequence, { phone });
        const answer = await send(trigger.name, JSON.stringify([{ id: "k1", phone }]));
        const dying: Ledger = {
          ...ledger(),
          transaction: (work) =>
            ledger().transaction(async (tx) => {
              await work(tx);
              throw new LedgerUnavailableError("the ledger does not answer");
            }),
        };
        await expect(again(answer, dying)).rejects.toThrow("does not answer");
        expect(await heardBy(ledger(), phone)).toEqual([{ state: "active", heard: [] }]);
        await again(answer);
        expect(await heardBy(ledger(), phone)).toEqual([{ state: "active", heard: ["exit"] }]);
        await turn(ledger(), first, Date.now());
        await enrolled(ledger(), sequence, { phone });
        await notEnded(answer);
        await Promise.all([again(answer), again(answer)]);
        expect(await heardBy(ledger(), phone)).toEqual([
          { state: "done", heard: ["exit"] },
          { state: "active", heard: [] },
        ]);
        expect(await didOf(answer)).toEqual([[{ what: "exit", told: 1 }]]);
      }
      await workOff(ledger());
    });

    it("while what came first waits for a person is done, and then not again for the first", async () => {
      const { send, app } = await listening(ledger());
      const later = freshName("later");
      const trigger = await triggerOf(ledger(), later, {
        each: "payload",
        idempotency: { field: "item.id" },
        event: { name: "moved", phone: "item.phone" },
      });
      const item = { id: "k", phone: freshPhone() };
      const first = await send(trigger.name, JSON.stringify([item]));
      await workOff(ledger());
      await sequenceOf(ledger(), { name: later });
      const second = await send(trigger.name, JSON.stringify([{ ...item, again: true }]));
      await workOff(ledger());
      const headers = { authorization: `Bearer ${API_TOKEN}` };
      await app.inject({ method: "POST", url: `/v1/triggers/${trigger.name}/retry`, headers });
      await workOff(ledger());
      expect((await didOf(second)).flat()).toMatchObject([{ already: false }, { told: 1 }]);
      expect((await didOf(first)).flat()).toMatchObject([{ repeated: true }, { told: 1, repeated: true }]);
      expect(await heardBy(ledger(), item.phone)).toEqual([{ state: "active", heard: ["moved"] }]);
    });

    it("keeps what it came to last where it is left undone while it is tried once more", async () => {
      // The embedded ledger has one connection.
      if (ledger().kind === "embedded") return;
      const { app, send } = await listening(ledger());
      const trigger = await triggerOf(ledger(), freshName("absent"));
      const { body } = await send(trigger.name, JSON.stringify({ phone: freshPhone() }));
      const id = String(body["delivery_id"]);
      await workOff(ledger());
      let skipped: ReturnType<typeof skip> | undefined;
      const skip = () =>
        app.inject({
          method: "POST",
          url: `/v1/deliveries/${id}/skip`,
          headers: { authorization: `Bearer ${API_TOKEN}` },
          payload: {},
        });
      await ledger().transaction(async (tx) => {
        await rows(
          tx,
          sql`update deliveries set result = result || '{"tried":"again"}' where id = ${id}::uuid returning 1 as one`,
        );
        skipped = elsewhere(skip);
        await until("the request waits", async () => {
          const waiting = await elsewhere(() =>
            rows(
              ledger().db,
              sql`select 1 as one from pg_stat_activity
                  where datname = current_database() and wait_event_type = 'Lock'`,
            ),
          );
          return waiting.length > 0;
        });
      });
      expect((await skipped)?.json()).toMatchObject({
        state: "ignored",
        result: { items: [{ state: "failed" }], tried: "again", skipped: {} },
      });
    });

    it("is left undone where a person says so, for good, and its entries go with the last that failed", async () => {
      const { app, send } = await listening(ledger());
      const trigger = await triggerOf(ledger(), freshName("absent"));
      const failed = [];
      for (const n of [1, 2]) {
        const { body } = await send(trigger.name, JSON.stringify({ phone: freshPhone(), n }));
        failed.push(String(body["delivery_id"]));
      }
      await workOff(ledger());
      const [first = "", second = ""] = failed;
      const headers = { authorization: `Bearer ${API_TOKEN}` };
      const skip = (id: string, payload: object) =>
        app.inject({ method: "POST", url: `/v1/deliveries/${id}/skip`, headers, payload });
      const isTold = async () =>
        (
          await rows<{ n: number }>(
            ledger().db,
            sql`select 1 as n from attention where kind = 'delivery_failed' and subject = ${trigger.name}
                  and resolved_at is null`,
          )
        ).length > 0;
      expect(await isTold()).toBe(true);
      const skipped = await skip(first, { reason: "a test of theirs" });
      expect(skipped.json()).toMatchObject({
        id: first,
        trigger: trigger.name,
        state: "ignored",
        result: { items: [{ state: "failed" }], skipped: { reason: "a test of theirs" } },
      });
      expect(await isTold(), "the other one waits still").toBe(true);
      const again = await skip(first, {});
      expect(again.statusCode).toBe(409);
      expect(again.json()).toMatchObject({ detail: expect.stringContaining("did not fail") });
      expect((await skip(randomUUID(), {})).statusCode).toBe(404);
      expect((await skip(second, { reason: "" })).statusCode).toBe(422);
      expect((await skip(second, {})).json()).toMatchObject({ state: "ignored" });
      expect(await isTold()).toBe(false);
      // Nothing of it is worked off any more.
      const url = `/v1/triggers/${trigger.name}/retry`;
      expect((await app.inject({ method: "POST", url, headers })).json()).toMatchObject({ retried: 0 });
      expect(
        await rows(
          ledger().db,
          sql`select detail->>'delivery' as delivery, detail->>'reason' as reason from audit where action = 'delivery.skip'
                and detail->>'trigger' = ${trigger.name} order by at, id`,
        ),
      ).toEqual([
        { delivery: first, reason: "a test of theirs" },
        { delivery: second, reason: null },
      ]);
    });

    it("of thousands that failed is worked off once, however often it fails meanwhile", async () => {
      const { app } = await listening(ledger());
      const trigger = await triggerOf(ledger(), freshName("absent"));
      const body = JSON.stringify({ type: "json", headers: {}, text: "{}" });
      // All came at two moments: a page ends between those of one.
      await rows(
        ledger().db,
        sql`insert into deliveries (id, trigger_id, key, digest, body, received_at, times, state, result, ended_at)
            select gen_random_uuid(), ${trigger.id}::uuid, 'k' || n, 'd', ${body}, now() - make_interval(hours => n % 2),
              1, 'failed', '{}', now() from generate_series(1, 1003) n
            returning 1 as one`,
      );
      const headers = { authorization: `Bearer ${API_TOKEN}` };
      const retry = async (after: string | null) => {
        const query = after === null ? "" : `?after=${after}`;
        const url = `/v1/triggers/${trigger.name}/retry${query}`;
        return (await app.inject({ method: "POST", url, headers })).json<{
          retried: number;
          next_after: string | null;
        }>();
      };
      const first = await retry(null);
      expect(first).toEqual({ retried: 1_000, next_after: expect.any(String) });
      const failedAgain = await rows(
        ledger().db,
        sql`update deliveries set state = 'failed', ended_at = now()
            where trigger_id = ${trigger.id}::uuid and state = 'received' returning 1 as one`,
      );
      expect(failedAgain).toHaveLength(1_000);
      expect(await retry(first.next_after)).toEqual({ retried: 3, next_after: null });
      const refused = await app.inject({
        method: "POST",
        url: `/v1/triggers/${trigger.name}/retry?after=nowhere`,
        headers,
      });
      expect(refused).toMatchObject({ statusCode: 422 });
      await rows(
        ledger().db,
        sql`delete from deliveries where trigger_id = ${trigger.id}::uuid returning 1 as one`,
      );
    });

    it("by a person, once it is mended, does what was not done, and nothing twice", async () => {
      const { send, app } = await listening(ledger());
      const [left, other] = [await sequenceOf(ledger()), await sequenceOf(ledger())];
      const later = freshName("later");
      const trigger = await triggerOf(ledger(), later, {
        event: { name: "moved", phone: "item.phone" },
        exit: { sequence: left, phone: "item.phone" },
      });
      const phone = freshPhone();
      const first = await enrolled(ledger(), left, { phone });
      await enrolled(ledger(), other, { phone });
      const answer = await send(trigger.name, JSON.stringify({ phone }));
      await workOff(ledger());
      await turn(ledger(), first, Date.now());
      await enrolled(ledger(), left, { phone });
      await sequenceOf(ledger(), { name: later });
      const headers = { authorization: `Bearer ${API_TOKEN}` };
      await app.inject({ method: "POST", url: `/v1/triggers/${trigger.name}/retry`, headers });
      await workOff(ledger());
      expect(await enrolmentsOf(ledger(), later)).toMatchObject([{ phone, state: "active" }]);
      expect((await didOf(answer)).flat()).toMatchObject([
        { what: "enroll", already: false },
        { what: "event", told: 3 },
        { what: "exit", told: 1 },
      ]);
      const [gone, ...here] = await heardBy(ledger(), phone);
      expect(gone).toEqual({ state: "done", heard: ["moved", "exit"] });
      expect(here).toEqual([1, 2, 3].map(() => ({ state: "active", heard: ["moved"] })));
    });
  });

  describe("whoever comes to one", () => {
    it("has its signature checked over the bytes as they came", async () => {
      const { send } = await listening(ledger());
      const auth = { scheme: "hmac", secret: "crm", header: "X-Signature" };
      const trigger = await triggerOf(ledger(), await sequenceOf(ledger()), { auth });
      const body = Buffer.from('{ "phone":  "+12025550143", "name": "Zo\u00eb" }\r\n', "utf8");
      const sign = (bytes: Buffer, key = TOKEN) => createHmac("sha256", key).update(bytes).digest("hex");
      const bytes = (text: Buffer) => new Uint8Array(text);
      const status = async (signature: string, sent = body) =>
        (await send(trigger.name, bytes(sent), { authorization: "", "x-signature": signature })).status;
      expect(await status(sign(body), Buffer.from(JSON.stringify(JSON.parse(body.toString()))))).toBe(401);
      expect(await status(sign(body, "wrong"))).toBe(401);
      expect(await status(sign(body, "the-one-before"))).toBe(202);
      expect(await status(sign(body))).toBe(200);
      const [delivery] = await rows<{ body: string }>(
        ledger().db,
        sql`select body from deliveries where trigger_id = ${trigger.id}::uuid`,
      );
      expect(JSON.parse(given(delivery).body)).toMatchObject({ type: "json", text: body.toString() });
      expect(given(delivery).body).not.toContain("signature");
    });

    it("learns the same of a trigger that is not there as of a wrong token, and stores nothing", async () => {
      const { send, logged } = await listening(ledger());
      const trigger = await triggerOf(ledger(), await sequenceOf(ledger()));
      const wrong = { authorization: "Bearer another-token-of-nobody" };
      const refused = await send(trigger.name, '{"phone": "+12025550143"}', wrong);
      const absent = await send(freshName("nothing"), '{"phone": "+12025550143"}', wrong);
      expect(refused.status).toBe(401);
      expect(absent).toEqual(refused);
      // The token of the API opens no trigger, and the other way round.
      expect((await send(trigger.name, "{}", { authorization: `Bearer ${API_TOKEN}` })).status).toBe(401);
      const [count] = await rows<{ n: number }>(
        ledger().db,
        sql`select count(*)::int as n from deliveries where trigger_id = ${trigger.id}::uuid`,
      );
      expect(given(count).n).toBe(0);
      expect(logged.join()).toContain(trigger.name);
      expect(logged.join()).not.toMatch(/5550143|another-token/);
    });

    it("is let in under any name of the host, without a token of the API, and gets nowhere else so", async () => {
      const { app } = await openApi(ledger(), { secrets });
      const trigger = await triggerOf(ledger(), await sequenceOf(ledger()));
      const headers = { host: "tunnel.example.com", authorization: `Bearer ${TOKEN}` };
      const url = `/v1/triggers/${trigger.name}`;
      const posted = await app.inject({ method: "POST", url, headers, payload: { phone: "+12025550143" } });
      expect(posted.statusCode).toBe(202);
      for (const [method, path] of [
        ["GET", url],
        ["POST", `${url}/disable`],
        ["GET", `${url}/deliveries`],
        ["PUT", "/v1/triggers"],
      ] as const) {
        const asked = await app.inject({
          method,
          url: path,
          headers,
          ...(method === "PUT" && { payload: {} }),
        });
        expect(asked.json()).toMatchObject({ code: "forbidden_host" });
      }
    });

    it("learns nothing from a trigger whose secret is not set; people see it in the log and at the trigger", async () => {
      const { send, app, logged } = await listening(ledger());
      const auth = { scheme: "bearer", secret: "not-set" };
      const idempotency = { field: "payload.id" };
      const trigger = await triggerOf(ledger(), await sequenceOf(ledger()), { auth, idempotency });
      expect(await send(trigger.name, "{}")).toEqual(await send(freshName("nothing"), "{}"));
      expect(logged.join()).toContain("secret not-set is not set");
      const asked = {
        url: `/v1/triggers/${trigger.name}`,
        headers: { authorization: `Bearer ${API_TOKEN}` },
      };
      expect((await app.inject(asked)).json()).toMatchObject({ warnings: ["secret not-set is not set"] });
    });

    it("learns nothing from a trigger whose secret is another brand's; people see it", async () => {
      const { send, app, logged } = await listening(ledger(), {
        secrets: secretsOf({ crm: TOKEN }, "crm=beta"),
      });
      const idempotency = { field: "payload.id" };
      const trigger = await triggerOf(ledger(), await sequenceOf(ledger()), { idempotency });
      expect(await send(trigger.name, "{}")).toEqual(await send(freshName("nothing"), "{}"));
      const told = 'there is no secret "crm" for brand default';
      expect(logged.join()).toContain(told.replaceAll('"', '\\"'));
      const headers = { authorization: `Bearer ${API_TOKEN}` };
      const shown = await app.inject({ url: `/v1/triggers/${trigger.name}`, headers });
      expect(shown.json()).toMatchObject({ warnings: [expect.stringContaining(told)] });
    });

    it("with whatever body is answered as it is, and what is stored waits for a person", async () => {
      const { send } = await listening(ledger());
      const xml = { "content-type": "application/xml" };
      for (const [what, body, headers, status] of [
        ["no JSON", "{", {}, 400],
        ["nothing", "", {}, 400],
        ["deep JSON", `${"[".repeat(50_000)}${"]".repeat(50_000)}`, {}, 400],
        ["bytes that are no UTF-8", new Uint8Array([0x22, 0xff, 0xfe, 0x22]), {}, 400],
        ["XML", "<a/>", xml, 415],
        ["something compressed", "{}", { "content-encoding": "gzip" }, 415],
        ["too much", `"${"x".repeat(300_000)}"`, {}, 413],
        ["__proto__", '{"__proto__": {"phone": "+12025550143"}, "n": 1}', {}, 202],
        ["huge numbers", '{"phone": 1e999999, "n": 123456789012345678901234567890}', {}, 202],
        ["NUL and halves of letters", '{"phone": "\\u0000\\ud800", "a\\u0000": "\\udfff"}', {}, 202],
        ["a byte order mark", '\uFEFF{"phone": "no number"}', {}, 202],
      ] as const) {
        const trigger = await triggerOf(ledger(), await sequenceOf(ledger()));
        expect((await send(trigger.name, body, headers)).status, what).toBe(status);
        await workOff(ledger());
        const states = await rows<{ state: string }>(
          ledger().db,
          sql`select state from deliveries where trigger_id = ${trigger.id}::uuid`,
        );
        expect(states, what).toEqual(status === 202 ? [{ state: "failed" }] : []);
      }
    });
  });

  describe("while the ledger is away", () => {
    it("a sender is told so, and what it sends again is taken once", async () => {
      const REFUSED = "connect ECONNREFUSED 10.1.2.3:5432";
      let away = true;
      const flaky: Ledger = {
        ...ledger(),
        hasRoom: () => true,
        transaction: (work) => {
          if (away) throw new LedgerUnavailableError(`the ledger does not answer: ${REFUSED}`);
          return ledger().transaction(work);
        },
      };
      const { send, logged } = await listening(flaky);
      const sequence = await sequenceOf(ledger());
      const trigger = await triggerOf(ledger(), sequence);
      const body = JSON.stringify({ phone: freshPhone() });
      const refused = await send(trigger.name, body);
      expect(refused).toMatchObject({
        status: 503,
        retryAfter: "10",
        body: { code: "ledger_unavailable" },
      });
      // Nobody from outside learns where the ledger is; the log says it.
      expect(JSON.stringify(refused.body)).not.toContain("ECONNREFUSED");
      expect(logged.join()).toContain(REFUSED);
      away = false;
      expect((await send(trigger.name, body)).status).toBe(202);
      expect((await send(trigger.name, body)).status).toBe(200);
      await workOff(ledger());
      expect(await enrolmentsOf(ledger(), sequence)).toHaveLength(1);
    });
  });

  describe("what can't be acted on", () => {
    it("waits for a person, in one entry a trigger, and is worked off once it is mended", async () => {
      const { send, app } = await listening(ledger());
      const missing = freshName("later");
      const trigger = await triggerOf(ledger(), missing, { each: "payload" });
      const people = [freshPhone(), freshPhone()];
      for (const phone of people) await send(trigger.name, JSON.stringify([{ phone }, { phone: "+1" }]));
      await workOff(ledger());
      const attention = () =>
        rows<{ times: number; resolved: boolean; summary: string }>(
          ledger().db,
          sql`select times, resolved_at is not null as resolved, summary from attention
              where kind = 'delivery_failed' and subject = ${trigger.name}`,
        );
      expect(await attention()).toMatchObject([{ times: 2, resolved: false }]);
      expect(given((await attention())[0]).summary).not.toContain(given(people[0]).slice(2));
      const auth = { authorization: `Bearer ${API_TOKEN}` };
      const ask = (method: "GET" | "POST" | "PUT", url: string, payload?: object) =>
        app.inject({ method, url, headers: auth, ...(payload && { payload }) });
      const listed = await ask("GET", `/v1/triggers/${trigger.name}/deliveries?state=failed`);
      expect(listed.json()).toMatchObject({
        total: 2,
        items: [
          {
            state: "failed",
            result: {
              items: [
                { n: 0, state: "failed", did: [{ what: "enroll", reason: "unknown_sequence" }] },
                { n: 1, state: "failed" },
              ],
            },
          },
          {},
        ],
      });
      const sequence = await sequenceOf(ledger());
      const { definition } = trigger;
      await ask("PUT", "/v1/triggers", {
        definition: { ...definition, when: 'item.phone != "+1"', enroll: { ...definition.enroll, sequence } },
      });
      const [first] = listed.json<{ items: { id: string }[] }>().items;
      expect((await ask("POST", `/v1/deliveries/${given(first).id}/retry`)).json()).toEqual({ retried: 1 });
      await workOff(ledger());
      expect(await attention()).toMatchObject([{ resolved: false }]);
      expect((await ask("POST", `/v1/triggers/${trigger.name}/retry`)).json()).toEqual({
        retried: 1,
        next_after: null,
      });
      await workOff(ledger());
      expect(await attention()).toMatchObject([{ resolved: true }]);
      expect((await enrolmentsOf(ledger(), sequence)).map(({ phone }) => phone)).toEqual(people);
      expect((await ask("POST", `/v1/deliveries/${given(first).id}/retry`)).json()).toMatchObject({
        code: "command_refused",
      });
    });
  });

  describe("a trigger", () => {
    it("is put, shown, closed and opened; a wrong one is told with every problem", async () => {
      const { app, send } = await listening(ledger());
      const ask = (method: "GET" | "POST" | "PUT", url: string, payload?: object) =>
        app.inject({
          method,
          url,
          headers: { authorization: `Bearer ${API_TOKEN}` },
          ...(payload && { payload }),
        });
      const name = freshName("by-hand");
      const definition = {
        name,
        auth: { scheme: "bearer", secret: "not-set" },
        idempotency: { field: "payload.id" },
        event: { name: "seen", phone: "payload.phone" },
      };
      const put = () => ask("PUT", "/v1/triggers", { definition });
      expect((await put()).json()).toMatchObject({
        change: "created",
        version: 1,
        warnings: ["secret not-set is not set"],
      });
      expect((await put()).json()).toMatchObject({ change: "none", version: 1 });
      definition.auth.secret = "crm";
      expect((await put()).json()).toMatchObject({ change: "changed", version: 2, warnings: [] });
      expect((await ask("GET", "/v1/triggers")).json<{ items: { name: string }[] }>().items).toContainEqual(
        expect.objectContaining({ name, path: `/v1/triggers/${name}` }),
      );
      await ask("POST", `/v1/triggers/${name}/disable`);
      expect(await send(name, '{"phone": "+12025550143"}')).toMatchObject({
        status: 409,
        body: { code: "trigger_disabled" },
      });
      expect((await ask("POST", `/v1/triggers/${name}/enable`)).json()).toMatchObject({ enabled: true });
      expect((await send(name, '{"phone": "+12025550143", "id": "1"}')).status).toBe(202);
      await workOff(ledger());
      expect((await ask("GET", `/v1/triggers/${name}`)).json()).toMatchObject({ failed_deliveries: 0 });
      const wrong = await ask("PUT", "/v1/triggers", {
        definition: { ...definition, name: "No", when: "(" },
      });
      expect(wrong.json()).toMatchObject({
        code: "invalid_trigger",
        errors: [{ field: "name" }, { field: "when" }],
      });
      expect((await ask("GET", "/v1/triggers/nobody")).json()).toMatchObject({ code: "unknown_trigger" });
    });

    it("without a key of its own is put with a warning, which stays where it is shown and goes with a key", async () => {
      const { app } = await listening(ledger());
      const headers = { authorization: `Bearer ${API_TOKEN}` };
      const definition = {
        name: freshName("keyless"),
        auth: { scheme: "bearer", secret: "crm" },
        event: { name: "seen", phone: "payload.phone" },
      };
      const put = async (more: object) =>
        (
          await app.inject({
            method: "PUT",
            url: "/v1/triggers",
            headers,
            payload: { definition: { ...definition, ...more } },
          })
        ).json<{ warnings: string[] }>().warnings;
      const shown = async () =>
        (await app.inject({ url: `/v1/triggers/${definition.name}`, headers })).json<{ warnings: string[] }>()
          .warnings;
      const warned = [expect.stringContaining("it has no idempotency")];
      expect([await put({}), await shown()]).toEqual([warned, warned]);
      // Put again as it is, it is warned of again.
      expect(await put({})).toEqual(warned);
      expect(await put({ auth: { scheme: "bearer", secret: "not-set" } })).toEqual([
        "secret not-set is not set",
        ...warned,
      ]);
      expect([await put({ idempotency: { field: "payload.id" } }), await shown()]).toEqual([[], []]);
    });

    it("lists with each delivery how many of its events nobody heard", async () => {
      const { app, send } = await listening(ledger());
      const waiting = await sequenceOf(ledger(), {
        steps: [
          { id: "w", wait_for: { event: "paid", timeout: "1d" }, on: { event: "end", timeout: "end" } },
          { id: "end", exit: { outcome: "over" } },
        ],
      });
      const resting = await sequenceOf(ledger());
      const trigger = await triggerOf(ledger(), waiting, {
        enroll: undefined,
        each: "payload",
        idempotency: { field: "text(item.id)" },
        event: { name: "paid", phone: "item.phone" },
      });
      const [heard, deaf, stranger] = [freshPhone(), freshPhone(), freshPhone()];
      await enrolled(ledger(), waiting, { phone: heard });
      await enrolled(ledger(), resting, { phone: deaf });
      const items = [heard, deaf, stranger].map((phone, id) => ({ id, phone }));
      const listed = async () => {
        const answer = await app.inject({
          url: `/v1/triggers/${trigger.name}/deliveries`,
          headers: { authorization: `Bearer ${API_TOKEN}` },
        });
        return answer.json<{ items: { state: string; unheard: number }[] }>().items;
      };
      await send(trigger.name, JSON.stringify(items));
      expect(await listed()).toMatchObject([{ state: "received", unheard: 0 }]);
      await workOff(ledger());
      expect(await listed()).toMatchObject([{ state: "done", unheard: 2 }]);
      // One that came before is told by the first.
      await send(trigger.name, JSON.stringify([...items, { id: 3, phone: stranger }]));
      await workOff(ledger());
      expect((await listed()).map(({ unheard }) => unheard)).toEqual([1, 2]);
    });

    it("that this version can't read hides no other, says so, and is mended by putting it anew", async () => {
      const { app, send } = await listening(ledger());
      const [broken, whole] = [
        await triggerOf(ledger(), await sequenceOf(ledger())),
        await triggerOf(ledger(), await sequenceOf(ledger())),
      ];
      await rows(
        ledger().db,
        sql`update triggers set definition = definition || '{"auth": {"scheme": "of another version"}}'::jsonb
            where id = ${broken.id}::uuid`,
      );
      const headers = { authorization: `Bearer ${API_TOKEN}` };
      const names = async (url: string) => (await app.inject({ url, headers })).body;
      const listed = await names("/v1/triggers");
      expect(listed).toContain(broken.name);
      expect(listed).toContain(whole.name);
      expect(await names(`/v1/triggers/${broken.name}`)).toContain("can't be read by this version");
      expect(await names("/v1/declared/documents?kind=trigger&limit=200")).toContain(
        `"name":"${broken.name}"`,
      );
      expect(await send(whole.name, JSON.stringify({ phone: freshPhone() }))).toMatchObject({ status: 202 });
      const { definition } = broken;
      const put = await app.inject({ method: "PUT", url: "/v1/triggers", headers, payload: { definition } });
      expect(put.json()).toMatchObject({ change: "changed", version: 2 });
      expect(await send(broken.name, JSON.stringify({ phone: freshPhone() }))).toMatchObject({ status: 202 });
    });

    it("that is closed meanwhile still has worked off what came before", async () => {
      const { send } = await listening(ledger());
      const sequence = await sequenceOf(ledger());
      const trigger = await triggerOf(ledger(), sequence);
      await send(trigger.name, JSON.stringify({ phone: freshPhone() }));
      await ledger().transaction((tx) =>
        setTriggerEnabled(tx, { name: trigger.name, enabled: false, actor: "test", nowMs: Date.now() }),
      );
      await workOff(ledger());
      expect(await enrolmentsOf(ledger(), sequence)).toHaveLength(1);
    });
  });

  describe("what is kept", () => {
    it("of an item is what was done for it, for 90 days", async () => {
      let nowMs = Date.now() - 200 * DAY_MS;
      const { send } = await listening(ledger(), { now: () => nowMs });
      const sequence = await sequenceOf(ledger());
      const trigger = await triggerOf(ledger(), sequence, {
        each: "payload",
        idempotency: { field: "item.id" },
        enroll: undefined,
        event: { name: "bought", phone: "item.phone" },
      });
      const phone = freshPhone();
      const sent = async (n: number) => {
        await send(trigger.name, JSON.stringify([{ id: "k", phone, n }]));
        await workOff(ledger(), () => nowMs);
        await pruneDeliveries(ledger(), nowMs);
      };
      await sent(1);
      await enrolled(ledger(), sequence, { phone });
      nowMs += 90 * DAY_MS;
      await sent(2);
      expect(await heardBy(ledger(), phone)).toMatchObject([{ heard: [] }]);
      nowMs += 1;
      await pruneDeliveries(ledger(), nowMs);
      await sent(3);
      expect(await heardBy(ledger(), phone)).toMatchObject([{ heard: ["bought"] }]);
    });

    it("are bodies for 7 days after they were worked off, and keys for 90", async () => {
      let nowMs = Date.now() - 200 * DAY_MS;
      const { send } = await listening(ledger(), { now: () => nowMs });
      const [good, bad] = [await sequenceOf(ledger()), freshName("absent")];
      const trigger = await triggerOf(ledger(), good);
      const failing = await triggerOf(ledger(), bad);
      const body = JSON.stringify({ phone: freshPhone() });
      const done = shownAs(await send(trigger.name, body));
      const failed = shownAs(await send(failing.name, body));
      await workOff(ledger(), () => nowMs);
      const bodyOf = async (id: string) => (await readDelivery(ledger().db, id))?.body !== undefined;
      nowMs += 7 * DAY_MS - 1;
      await pruneDeliveries(ledger(), nowMs);
      expect([await bodyOf(done), await bodyOf(failed)]).toEqual([true, true]);
      nowMs += 2;
      await pruneDeliveries(ledger(), nowMs);
      expect([await bodyOf(done), await bodyOf(failed)]).toEqual([false, true]);
      nowMs += 80 * DAY_MS;
      await pruneDeliveries(ledger(), nowMs);
      expect((await send(trigger.name, body)).status).toBe(200);
      nowMs += 10 * DAY_MS;
      await pruneDeliveries(ledger(), nowMs);
      expect(await readDelivery(ledger().db, done)).toBeUndefined();
      onTestFinished(async () => {
        await rows(ledger().db, sql`delete from outbox where kind = 'delivery'`);
      });
    });
  });
});
