import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { rows } from "../../../src/ledger/ground/connection.ts";
import { outdial } from "../../cli/support.ts";
import { freshName } from "../../support/intake.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { openGuarded, SYSTEM_TOKEN, type Guarded } from "./support.ts";

interface Seen {
  id: string;
  kind: string;
  name: string;
  actor: string;
  own: boolean;
}

/** No two things happen in the same moment. */
function clock(): () => number {
  let nowMs = Date.now();
  return () => (nowMs += 1_000);
}

async function signIn({ ask }: Guarded, token: string) {
  const begun = await ask({ method: "POST", url: "/v1/session", payload: { token } }, "");
  expect(begun.statusCode, begun.body).toBe(201);
  const cookie = given(String(begun.headers["set-cookie"]).split(";")[0]);
  const { csrf_token } = begun.json<{ csrf_token: string }>();
  const headers = { cookie, "x-csrf-token": csrf_token };
  return {
    isIn: async () => (await ask({ url: "/v1/me", headers: { cookie } }, "")).statusCode === 200,
    list: async (query: Record<string, string> = {}) => ask({ url: "/v1/sessions", query, headers }, ""),
  };
}

describeLedgers("sessions of others", (ledger) => {
  it("are listed for admins, newest first and page by page, without what is over or would let anybody in", async () => {
    const guarded = await openGuarded(ledger(), { now: clock() });
    const [ann, bob] = [await guarded.makeToken("operator"), await guarded.makeToken("admin")];
    const first = await signIn(guarded, ann.secret);
    await signIn(guarded, ann.secret);
    const admin = await signIn(guarded, bob.secret);

    const own = await admin.list({ name: ann.name, limit: "1" });
    const page = own.json<{ items: Seen[]; next_after: string }>();
    expect(page.items).toMatchObject([
      { kind: "token", name: ann.name, actor: `token:${ann.name}`, role: "operator", own: false },
    ]);
    const rest = (await admin.list({ name: ann.name, after: page.next_after })).json<{ items: Seen[] }>();
    expect(rest.items).toHaveLength(1);
    expect(rest.items[0]?.id).not.toBe(page.items[0]?.id);
    expect((await admin.list({ name: bob.name })).json()).toMatchObject({ items: [{ own: true }] });
    const kept = await rows<{ digest: string }>(ledger().db, sql`select digest from sessions`);
    for (const { digest } of kept) expect(own.body).not.toContain(digest);
    expect((await admin.list({ after: "nothing" })).statusCode).toBe(422);

    expect((await first.list()).statusCode, "an operator").toBe(403);
    await guarded.ask({ method: "DELETE", url: `/v1/tokens/${ann.name}`, payload: { reason: "over" } });
    expect((await admin.list({ name: ann.name })).json()).toMatchObject({ items: [] });
  });

  it("end at once by their id, and all of somebody by the name, with who did it and why", async () => {
    const guarded = await openGuarded(ledger(), { now: clock() });
    const { ask } = guarded;
    const ann = await guarded.makeToken("operator");
    const [one, other, third] = [
      await signIn(guarded, ann.secret),
      await signIn(guarded, ann.secret),
      await signIn(guarded, ann.secret),
    ];
    const stranger = await signIn(guarded, (await guarded.makeToken("viewer")).secret);
    const listed = async () =>
      (await ask({ url: "/v1/sessions", query: { name: ann.name } })).json<{ items: Seen[] }>().items;
    const newest = given((await listed())[0]);
    const payload = { reason: "a lost laptop" };
    const end = () => ask({ method: "DELETE", url: `/v1/sessions/${newest.id}`, payload });
    expect((await end()).json()).toMatchObject({ ended: { id: newest.id, name: ann.name } });
    const again = await end();
    expect([again.statusCode, again.json()["code"]]).toEqual([404, "unknown_session"]);
    expect([await one.isIn(), await other.isIn(), await third.isIn()]).toEqual([true, true, false]);

    const all = await ask({
      method: "DELETE",
      url: "/v1/sessions",
      payload: { kind: "token", name: ann.name, reason: "has left" },
    });
    expect(all.json<{ ended: Seen[] }>().ended).toHaveLength(2);
    expect([await one.isIn(), await other.isIn(), await stranger.isIn()]).toEqual([false, false, true]);
    expect(await listed()).toEqual([]);

    const audit = await ask({ url: "/v1/audit", query: { action: "session.end" } });
    const told = audit
      .json<{ items: { actor: string; detail: Record<string, unknown> }[] }>()
      .items.filter(({ detail }) => detail["name"] === ann.name);
    expect(told.map(({ actor, detail }) => [actor, detail["kind"], detail["reason"]])).toEqual([
      ["api", "token", "has left"],
      ["api", "token", "has left"],
      ["api", "token", "a lost laptop"],
    ]);
  });

  it("are listed and ended by command", async () => {
    const guarded = await openGuarded(ledger(), { now: clock() });
    const url = await guarded.api.app.listen({ host: "127.0.0.1", port: 0 });
    const run = (...args: string[]) =>
      outdial(["sessions", ...args], { OUTDIAL_API_URL: url, OUTDIAL_API_TOKEN: SYSTEM_TOKEN });
    const name = freshName("cli");
    const { secret } = (
      await guarded.ask({ method: "POST", url: "/v1/tokens", payload: { name, role: "viewer" } })
    ).json<{ secret: string }>();
    await signIn(guarded, secret);
    const last = await signIn(guarded, secret);
    const listed = await run("list", "--name", name, "--json");
    const { items } = JSON.parse(listed.stdout) as { items: Seen[] };
    expect(items).toHaveLength(2);
    expect((await run("list", "--name", name)).stdout).toContain(`token:${name}`);
    expect((await run("end", "--reason", "x")).stderr).toContain("give the id of a session, or --name");
    const one = await run("end", given(items[0]).id, "--reason", "a lost laptop");
    expect(one.stdout).toContain(`1 session of token:${name} ended`);
    expect(await last.isIn()).toBe(false);
    const rest = await run("end", "--name", name, "--kind", "token", "--reason", "has left");
    expect(rest.stdout).toContain(`1 session of token:${name} ended`);
    expect((await run("end", "--name", name, "--reason", "x")).stdout).toContain(
      `nobody is signed in as person ${name}`,
    );
  });
});
