import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { readInstallation } from "../../src/ledger/ground/installation.ts";
import { rows } from "../../src/ledger/ground/connection.ts";
import { describeSomeLedger } from "../support/ledgers.ts";
import { openGuarded } from "./access/support.ts";
import { openApi, openSandbox } from "./support.ts";

/** What somebody in a hurry, or a program that was never tried, sends for a stop; and what is kept of it. */
const HASTY: readonly {
  form: string;
  payload?: string;
  headers?: Record<string, string>;
  reason?: string;
  actor?: string;
}[] = [
  { form: "nothing at all" },
  { form: "no body of a type", headers: { "content-type": "application/json" } },
  { form: "no reason", payload: "{}" },
  { form: "an empty reason", payload: '{"reason":" "}' },
  { form: "a reason of another kind", payload: '{"reason":{"why":1}}' },
  { form: "a number", payload: '{"reason":7}', reason: "7" },
  { form: "a list", payload: "[1]" },
  { form: "null", payload: "null" },
  { form: "a long reason", payload: JSON.stringify({ reason: "x".repeat(600) }), reason: "x".repeat(500) },
  {
    form: "a reason that would be cut in a sign",
    payload: JSON.stringify({ reason: `${"x".repeat(499)}\u{1F4DE}` }),
    reason: "x".repeat(499),
  },
  {
    form: "lines",
    payload: JSON.stringify({ reason: "wrong\r\nlist\0, \u001b[1mall\n" }),
    reason: "wrong list , [1mall",
  },
  { form: "a further field", payload: '{"reason":"wrong list","who":"me"}', reason: "wrong list" },
  {
    form: "plain text",
    payload: "wrong list",
    headers: { "content-type": "text/plain" },
    reason: "wrong list",
  },
  {
    form: "a form, as curl sends one",
    payload: '{"reason":"wrong list"}',
    headers: { "content-type": "application/x-www-form-urlencoded" },
    reason: "wrong list",
  },
  {
    form: "no type",
    payload: '{"reason":"wrong list"}',
    headers: { "content-type": "" },
    reason: "wrong list",
  },
  {
    form: "a type that is none",
    payload: '{"reason":"wrong list"}',
    headers: { "content-type": "???" },
    reason: "wrong list",
  },
  {
    form: "torn JSON",
    payload: '{"reason":"wro',
    headers: { "content-type": "application/json" },
    reason: '{"reason":"wro',
  },
  { form: "a large body", payload: JSON.stringify({ junk: "y".repeat(3_000_000), reason: "wrong list" }) },
  { form: "a name in other letters", headers: { "x-outdial-actor": "Zo\u00eb" }, actor: "Zo?" },
  { form: "a long name", headers: { "x-outdial-actor": "z".repeat(300) }, actor: "z".repeat(100) },
  { form: "an empty name", headers: { "x-outdial-actor": " " }, actor: "api" },
  { form: "a key that is none", headers: { "idempotency-key": "\u00eb".repeat(300) } },
];

describeSomeLedger("the system's own facts", (ledger) => {
  it("say by which zone data the server goes, and when that is old", async () => {
    const zoneDataAt = async (instant: string) => {
      const api = await openApi(ledger(), { now: () => Date.parse(instant) });
      return (await api.app.inject({ url: "/v1/system" })).json<{ zone_data: unknown }>().zone_data;
    };
    const facts = { version: "2026f", released_on: "2026-10-29" };
    expect(await zoneDataAt("2026-11-22T00:00Z")).toEqual({ ...facts, old: false });
    expect(await zoneDataAt("2027-06-01T00:00Z")).toEqual({ ...facts, old: true });
  });

  it("count what waits for people of the brands that the caller is for", async () => {
    const guarded = await openGuarded(ledger());
    for (const brand of ["acme", "globex", "globex", "default"])
      await rows(
        ledger().db,
        sql`insert into attention (kind, subject, brand, summary, remedy, at)
            values ('action_failed', ${crypto.randomUUID()}, ${brand}, 'it came to nothing', 'look', now())`,
      );
    const seenBy = async (token?: string) =>
      (await guarded.ask({ url: "/v1/system" }, token)).json<{ attention: object }>().attention;
    const tokenOf = async (...brands: string[]) => (await guarded.makeToken("viewer", { brands })).secret;
    expect(await seenBy()).toEqual({ action_failed: 4 });
    expect(await seenBy(await tokenOf("acme"))).toEqual({ action_failed: 1 });
    expect(await seenBy(await tokenOf("acme", "globex"))).toEqual({ action_failed: 3 });
    expect(await seenBy(await tokenOf("initech"))).toEqual({});
  });

  it.each(HASTY)(
    "a stop is never refused over its form: $form",
    async ({ payload, headers, reason, actor }) => {
      const api = await openApi(ledger(), await openSandbox());
      await api.app.inject({ method: "POST", url: "/v1/go-on", payload: { reason: "a test begins" } });
      const answer = await api.app.inject({
        method: "POST",
        url: "/v1/stop-all",
        ...(payload !== undefined && { payload, headers: { "content-type": "application/json" } }),
        ...(headers && { headers }),
      });
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.json()).toMatchObject({ stopped: true });
      const { stopped } = await readInstallation(ledger().db);
      expect(stopped?.reason).toBe(reason ?? "no reason was given");
      const [written] = await rows<{ actor: string }>(
        ledger().db,
        sql`select actor from audit where action = 'stop_all' order by id desc limit 1`,
      );
      expect(written?.actor).toBe(actor ?? "api");
    },
  );

  it("a stop asks for the token as everything does", async () => {
    const api = await openApi(ledger(), {
      ...(await openSandbox()),
      token: "a-token-of-this-test-0123456789",
    });
    await api.app.inject({
      method: "POST",
      url: "/v1/go-on",
      payload: { reason: "a test begins" },
      headers: { authorization: "Bearer a-token-of-this-test-0123456789" },
    });
    const answer = await api.app.inject({ method: "POST", url: "/v1/stop-all", payload: "stop" });
    expect(answer.statusCode).toBe(401);
    expect((await readInstallation(ledger().db)).stopped).toBeUndefined();
  });
});
