import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";

import { readCallHint } from "../../../src/ledger/campaigns/call-hints.ts";
import { LedgerUnavailableError, rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { describeSomeLedger } from "../../support/ledgers.ts";
import { openApi, type TestApi } from "../support.ts";

const TOKEN = "the-token-of-the-hook";
const BEFORE = "the-one-before";

function post({ app }: TestApi, token: string, payload: string, type = "application/json") {
  return app.inject({
    method: "POST",
    url: `/v1/hooks/platform/${token}`,
    headers: { "content-type": type, host: "tunnel.example.com" },
    payload,
  });
}

describeSomeLedger("call webhooks of the platform", (ledger) => {
  const waiting = async (callId: string) =>
    (
      await rows(
        ledger().db,
        sql`select 1 as one from outbox where kind = 'call_hint' and subject = ${callId}`,
      )
    ).length;

  it("are kept before they are answered, whatever their shape, each call once", async () => {
    const api = await openApi(ledger(), { hookTokens: [TOKEN, BEFORE] });
    const callId = randomUUID();
    for (const [token, payload, type] of [
      [TOKEN, JSON.stringify({ event: "call_started", call_id: callId }), "application/json"],
      [TOKEN, JSON.stringify({ event: "call.ended", data: { id: callId } }), "text/plain"],
      [BEFORE, JSON.stringify([{ call: { id: callId } }]), "application/json"],
      [TOKEN, `call_id=${callId}&event=call_ended`, "application/x-www-form-urlencoded"],
      [
        TOKEN,
        `payload=${encodeURIComponent(JSON.stringify({ callId }))}`,
        "application/x-www-form-urlencoded",
      ],
    ] as const) {
      const answer = await post(api, token, payload, type);
      expect(answer.statusCode).toBe(202);
      expect(answer.json()).toEqual({ accepted: true });
    }
    expect(await readCallHint(ledger().db, callId)).toMatchObject({ state: "open", times: 5, looks: 0 });
    expect(await waiting(callId)).toBe(1);
  });

  it("are answered the same where they name nothing, or something else than JSON", async () => {
    const api = await openApi(ledger(), { hookTokens: [TOKEN] });
    for (const payload of [
      "",
      "{}",
      "null",
      "{",
      "<call/>",
      "\0\0",
      '{"__proto__": {"call_id": 1}}',
      "[".repeat(60_000),
      '{"call_id": "\\u0000\\ud800"}',
      '{"call_id": {"$gt": ""}}',
    ]) {
      const answer = await post(api, TOKEN, payload);
      expect([answer.statusCode, answer.json()]).toEqual([202, { accepted: true }]);
    }
    expect((await post(api, TOKEN, `"${"x".repeat(300_000)}"`)).statusCode).toBe(413);
  });

  it("with another token are told that there is no such address, as where no token is set", async () => {
    const callId = randomUUID();
    const payload = JSON.stringify({ call_id: callId });
    const open = await openApi(ledger(), { hookTokens: [TOKEN] });
    const closed = await openApi(ledger());
    const answers = [
      await post(open, "another", payload),
      await post(open, `${TOKEN}x`, payload),
      await post(closed, TOKEN, payload),
      await open.app.inject({ method: "POST", url: "/v1/nothing", headers: { host: "localhost" } }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
    const told = answers.map((answer) => ({ ...answer.json<object>(), instance: "another each time" }));
    expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await readCallHint(ledger().db, callId)).toBeUndefined();
    expect(open.logged.join()).not.toContain(TOKEN);
  });

  it("while the ledger is away are refused, and taken when they come again", async () => {
    let away = true;
    const flaky: Ledger = {
      ...ledger(),
      transaction: (work) => {
        if (away) throw new LedgerUnavailableError("the ledger does not answer");
        return ledger().transaction(work);
      },
    };
    const api = await openApi(flaky, { hookTokens: [TOKEN] });
    const callId = randomUUID();
    const payload = JSON.stringify({ call_id: callId });
    const refused = await post(api, TOKEN, payload);
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([503, "10"]);
    away = false;
    expect((await post(api, TOKEN, payload)).statusCode).toBe(202);
    expect(await waiting(callId)).toBe(1);
  });

  it("that name the same calls in another order at the same time are all taken", async () => {
    const api = await openApi(ledger(), { hookTokens: [TOKEN] });
    const calls = Array.from({ length: 20 }, () => ({ call_id: randomUUID() }));
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, nth) =>
        post(api, TOKEN, JSON.stringify(nth % 2 === 0 ? calls : calls.toReversed())),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 202));
    for (const { call_id: callId } of calls)
      expect(await readCallHint(ledger().db, callId)).toMatchObject({ times: 12 });
  });
});
