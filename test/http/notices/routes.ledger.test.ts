import { afterEach, expect, it } from "vitest";

import { UnknownSecretError } from "../../../src/domain/ground/secrets.ts";
import { mailProblems } from "../../../src/outbound/mail.ts";
import { createOutbound } from "../../../src/outbound/client.ts";
import { sendNotice } from "../../../src/outbound/notices.ts";
import { raiseAttention, listAttention } from "../../../src/ledger/ground/attention.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { startReceiver } from "../../support/receiver.ts";
import { openApi } from "../support.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

withLedger((ledger) => {
  const open = async () => {
    const receiver = await startReceiver();
    const outbound = createOutbound({ allow: ["127.0.0.1"] });
    closing.push(
      () => receiver.close(),
      () => outbound.close(),
    );
    const secrets = {
      read(name: string) {
        if (name === "alerts") return ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
        if (name === "slack-ops") return [`${receiver.url}/T00/B00/XXX`];
        throw new UnknownSecretError(name, `there is no secret "${name}"`);
      },
    };
    const smtp = { url: undefined, from: undefined };
    const api = await openApi(ledger(), {
      secrets,
      sendNotice: (route, notice) => sendNotice({ outbound, secrets, smtp, now: Date.now }, route, notice),
      mailProblems: (isSenderSaid) => mailProblems(smtp, isSenderSaid),
    });
    const ask = async (method: "GET" | "PUT" | "POST" | "DELETE", url: string, payload?: object) => {
      const answer = await api.app.inject({
        method,
        url: `/v1/attention${url}`,
        ...(payload && { payload }),
      });
      return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
    };
    return { receiver, ask, put: (definition: object) => ask("PUT", "/routes", { definition }) };
  };
  const webhook = (url: string) => ({ webhook: { url, secret: "alerts" } });

  it("takes a route down, shows it, tells what has become of it, and takes it back", async () => {
    const { receiver, ask, put } = await open();
    const definition = { name: "ops", to: webhook(receiver.url), gather: "60m" };
    expect(await put(definition)).toMatchObject({ status: 200, body: { change: "created", warnings: [] } });
    // One duration is kept in one way.
    expect(await put({ ...definition, gather: "1h" })).toMatchObject({ body: { change: "none" } });
    expect(await put({ ...definition, gather: "2h" })).toMatchObject({ body: { change: "changed" } });
    expect((await ask("GET", "/routes")).body).toMatchObject({
      items: [{ name: "ops", definition: { gather: "2h" }, delivered_at: null, failures: 0, trouble: null }],
    });
    expect((await ask("GET", "/routes/ops")).body).toMatchObject({ messages: [], warnings: [] });
    expect(await ask("DELETE", "/routes/ops")).toMatchObject({
      status: 200,
      body: { removed: { name: "ops" } },
    });
    expect(await ask("DELETE", "/routes/ops")).toMatchObject({
      status: 404,
      body: { code: "unknown_route" },
    });
    expect(await ask("GET", "/routes/ops")).toMatchObject({ status: 404, body: { code: "unknown_route" } });
  });

  it("says every problem of a definition at once, each with its field, and what may be meant", async () => {
    const { put } = await open();
    const { status, body } = await put({
      name: "Ops",
      to: {
        webhook: { url: "https://hooks.example.com/x?api_key=4f9b1c2d3e", secret: "alerts" },
        slack: { url: "https://hooks.slack.com/services/T00/B00/XXXX" },
      },
      kinds: ["braker_open"],
      gather: "15 minutes",
      quiet_hours: { zone: "Berlin", hours: [{ from: "20:00", to: "8:00" }] },
      remnd: { every: "1h" },
    });
    expect({ status, code: body["code"] }).toEqual({ status: 422, code: "invalid_route" });
    const told = Object.fromEntries(
      (body["errors"] as { field: string; message: string }[]).map(({ field, message }) => [field, message]),
    );
    expect(Object.keys(told).sort()).toEqual(
      [
        "gather",
        "kinds[0]",
        "name",
        "quiet_hours.hours[0].to",
        "quiet_hours.zone",
        "remnd",
        "to.slack.url",
        "to.webhook.url",
      ].sort(),
    );
    expect(told["kinds[0]"]).toContain("breaker_open");
    expect(told["remnd"]).toContain("remind");
    expect(JSON.stringify(body)).not.toContain("4f9b1c2d3e");
  });

  it("refuses one that goes nowhere, to two places, or that is quiet for good", async () => {
    const { receiver, put } = await open();
    const to = webhook(receiver.url);
    const refused = async (definition: object) =>
      JSON.stringify((await put({ name: "x", ...definition })).body);
    expect(await refused({ to: {} })).toContain("one of webhook, slack and email");
    expect(await refused({ to: { ...to, email: { to: ["a@example.com"] } } })).toContain("several routes");
    expect(await refused({ to: { email: { to: ["a@example.com\\nBcc: b@example.com"] } } })).toContain(
      "must be an address",
    );
    expect(await refused({ to, kinds: ["no_end"], except_kinds: ["overdue"] })).toContain(
      "goes without kinds",
    );
    const hours = [{ from: "08:00", to: "08:00" }];
    expect(await refused({ to, quiet_hours: { zone: "UTC", hours } })).toContain("no minute of the week");
  });

  it("warns of what it needs and is not there", async () => {
    const { put } = await open();
    const slack = { name: "chat", to: { slack: { url: { secret: "nobody" } } } };
    expect((await put(slack)).body["warnings"]).toEqual([
      expect.stringContaining('to.slack.url.secret: there is no secret "nobody"'),
    ]);
    const mail = { name: "mail", to: { email: { to: ["ops@example.com"] } } };
    expect((await put(mail)).body["warnings"]).toEqual([
      expect.stringContaining("OUTDIAL_SMTP_URL"),
      expect.stringContaining("OUTDIAL_SMTP_FROM"),
    ]);
  });

  it("sends a test through each, or one, and says what each answered", async () => {
    const { receiver, ask, put } = await open();
    await put({ name: "good", to: webhook(receiver.url) });
    await put({ name: "chat", to: { slack: { url: { secret: "slack-ops" } } } });
    await put({ name: "mail", to: { email: { to: ["ops@example.com"] } } });
    const { items } = (await ask("POST", "/test", {})).body as {
      items: { route: string; delivered: boolean; said: string }[];
    };
    expect(items.map(({ route, delivered }) => `${route} ${delivered}`)).toEqual([
      "chat true",
      "good true",
      "mail false",
    ]);
    expect(items[2]?.said).toContain("OUTDIAL_SMTP_URL");
    // Nothing of an address that is a secret is said.
    expect(JSON.stringify(items)).not.toContain("XXX");
    const bodies = receiver.received.map(({ body }) => JSON.parse(body) as { type?: string; text?: string });
    expect(bodies.find(({ type }) => type !== undefined)).toMatchObject({ type: "attention.test" });
    expect(bodies.find(({ text }) => text !== undefined)?.text).toContain("a test of the route chat");
    expect((await ask("POST", "/test", { route: "good" })).body).toMatchObject({
      items: [{ route: "good" }],
    });
    expect(await ask("POST", "/test", { route: "nobody" })).toMatchObject({ status: 404 });
    receiver.answer = () => ({ status: 401, body: "bad signature" });
    expect((await ask("POST", "/test", { route: "good" })).body).toMatchObject({
      items: [
        { delivered: false, said: expect.stringMatching(/answered 401 \(bad signature\).*secret alerts/) },
      ],
    });
  });

  it("keeps who looks after an entry, and until when", async () => {
    const { ask } = await open();
    await raiseAttention(ledger().db, {
      kind: "no_end",
      subject: "call 7",
      brand: "default",
      summary: "s",
      remedy: "r",
      nowMs: Date.now(),
    });
    const { items } = await listAttention(ledger().db, { kind: "no_end", resolved: false, limit: 1 });
    const { id } = given(items[0]);
    expect(await ask("POST", `/${id}/acknowledge`, { by: "Ann", for: "4h" })).toMatchObject({
      status: 200,
      body: { acknowledged_by: "Ann", acknowledged_until: expect.any(String), resolved_at: null },
    });
    expect(await ask("POST", `/${id}/acknowledge`, {})).toMatchObject({
      body: { acknowledged_by: "api", acknowledged_until: null },
    });
    expect((await ask("GET", "?kind=no_end")).body).toMatchObject({ items: [{ acknowledged_by: "api" }] });
    expect(await ask("POST", `/${id}/acknowledge`, { for: "1s" })).toMatchObject({ status: 422 });
    expect(await ask("POST", `/${id}/acknowledge`, { by: "a\nb" })).toMatchObject({ status: 422 });
    expect(await ask("POST", "/999999/acknowledge", {})).toMatchObject({ status: 404 });
  });
});
