import path from "node:path";
import { expect, it } from "vitest";

import { takeDelivery } from "../../../src/chores/triggers/take-delivery.ts";
import { projectFolder } from "../../docs/support/documents.ts";
import { openApi, platformAt } from "../../http/support.ts";
import { enrolmentsOf, freshName, intakeDeps, outboxOf, sequenceOf } from "../../support/intake.ts";
import { withLedger } from "../../support/ledgers.ts";
import { outdial, temporaryFolder, writeFile } from "../support.ts";

const TOKEN = "a-token-of-this-test-0123456789";
const PHONE = "+12025550143";

const example = (name: string) => path.join(projectFolder, "examples/triggers", name);

it("a trigger is tried on a body with nothing that runs", async () => {
  const tried = await outdial([
    "trigger",
    "try",
    example("hubspot.yaml"),
    "--body",
    example("payloads/hubspot.json"),
    "--json",
  ]);
  expect(tried.code).toBe(0);
  expect(JSON.parse(tried.stdout)).toMatchObject({
    items: [{ kind: "wanted", wanted: [{ number: "+12025550144" }] }, { kind: "ignored" }],
  });
  const folder = temporaryFolder();
  const wrong = writeFile(folder, "trigger.yaml", "name: A B\nauth: { scheme: basic }\n");
  const body = writeFile(folder, "body.json", '{"phone": "12"}');
  expect(await outdial(["trigger", "try", wrong, "--body", body])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/2 problems|3 problems|4 problems/),
  });
  const plain = writeFile(
    folder,
    "plain.yaml",
    "name: plain\nauth: { scheme: bearer, secret: crm }\nevent: { name: seen, phone: payload.phone }\n",
  );
  const refused = await outdial(["trigger", "try", plain, "--body", body]);
  expect(refused.code).toBe(2);
  expect(refused.stdout).toContain("item 0: wanted");
});

withLedger((ledger) => {
  it("a trigger is put, shown, closed, opened, and what failed is worked off again", async () => {
    const secrets = { read: () => [TOKEN] };
    const { app } = await openApi(ledger(), { token: TOKEN, secrets });
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    const folder = temporaryFolder();
    const environment = { OUTDIAL_API_URL: url, OUTDIAL_API_TOKEN: TOKEN, OUTDIAL_DATA_DIR: folder };
    const run = (...args: string[]) => outdial(["trigger", ...args], environment);
    const workOff = async () => {
      const deps = intakeDeps(ledger(), platformAt("http://127.0.0.1:9", "key"));
      for (const deliveryId of await outboxOf(ledger(), "delivery")) await takeDelivery(deps, { deliveryId });
    };
    const name = freshName("cli");
    const file = (sequence: string) =>
      writeFile(
        folder,
        `${sequence}.yaml`,
        `name: ${name}\nauth: { scheme: bearer, secret: crm }\nenroll: { sequence: ${sequence}, phone: payload.phone }\n`,
      );
    expect((await run("put", file("absent"))).stdout).toContain("is there now (version 1)");
    const headers = { authorization: `Bearer ${TOKEN}` };
    await app.inject({ method: "POST", url: `/v1/triggers/${name}`, headers, payload: { phone: PHONE } });
    await workOff();
    const failed = await run("deliveries", name, "--state", "failed");
    expect(failed.stdout).toContain("enroll: unknown_sequence");
    expect((await run("show", name)).stdout).toContain("1 delivery failed");
    const sequence = await sequenceOf(ledger());
    expect((await run("put", file(sequence))).stdout).toContain("version 2");
    expect((await run("retry", name)).stdout).toBe("1 delivery worked off again\n");
    await workOff();
    expect(await enrolmentsOf(ledger(), sequence)).toMatchObject([{ phone: PHONE }]);
    const listed = await run("deliveries", name, "--json");
    const [delivery] = (JSON.parse(listed.stdout) as { items: { id: string; state: string }[] }).items;
    expect(delivery).toMatchObject({ state: "done" });
    expect((await run("deliveries", name, "--id", delivery?.id ?? "")).stdout).toContain(PHONE);
    expect(await run("retry", name, "--id", delivery?.id ?? "")).toMatchObject({ code: 1 });
    expect((await run("disable", name)).stdout).toBe(`trigger ${name} takes no deliveries\n`);
    expect((await run("list")).stdout).toContain("disabled");
    expect((await run("enable", name)).stdout).toBe(`trigger ${name} takes deliveries\n`);
    expect(await run("show", "nobody")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("outdial trigger list"),
    });
  });

  it("one that tells events apart by their bodies alone is warned of, and an event that nobody heard says so", async () => {
    const secrets = { read: () => [TOKEN] };
    const { app } = await openApi(ledger(), { token: TOKEN, secrets });
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    const folder = temporaryFolder();
    const environment = { OUTDIAL_API_URL: url, OUTDIAL_API_TOKEN: TOKEN, OUTDIAL_DATA_DIR: folder };
    const run = (...args: string[]) => outdial(["trigger", ...args], environment);
    const name = freshName("cli");
    const text = (auth: string, more = "") =>
      `name: ${name}\nauth: ${auth}\nevent: { name: paid, phone: payload.phone }\n${more}`;
    const file = (body: string) => writeFile(folder, "trigger.yaml", body);
    const bearer = text("{ scheme: bearer, secret: crm }");
    const warned = /a second event with the same body .* for 90 days.*idempotency/s;
    const put = await run("put", file(bearer));
    expect(put).toMatchObject({ code: 0, stdout: expect.stringMatching(warned) });
    expect((await run("show", name)).stdout).toMatch(warned);
    const body = writeFile(folder, "body.json", JSON.stringify({ phone: PHONE }));
    expect((await run("try", file(bearer), "--body", body)).stdout).toMatch(warned);
    for (const told of [
      text("{ scheme: bearer, secret: crm }", "idempotency: { field: payload.id }\n"),
      text("{ scheme: bearer, secret: crm }", "idempotency: { header: x-request-id }\n"),
      // Its senders name each message, and sign that.
      text("{ scheme: standard_webhooks, secret: crm }"),
    ])
      expect((await run("put", file(told))).stdout).not.toContain("warning");
    expect((await run("put", file(bearer))).code).toBe(0);

    const headers = { authorization: `Bearer ${TOKEN}` };
    const send = async (payload: object) => {
      await app.inject({ method: "POST", url: `/v1/triggers/${name}`, headers, payload });
      const deps = intakeDeps(ledger(), platformAt("http://127.0.0.1:9", "key"));
      for (const deliveryId of await outboxOf(ledger(), "delivery")) await takeDelivery(deps, { deliveryId });
    };
    const newest = async () => {
      const listed = JSON.parse((await run("deliveries", name, "--limit", "1", "--json")).stdout) as {
        items: { unheard: number }[];
      };
      return {
        line: (await run("deliveries", name, "--limit", "1")).stdout,
        unheard: listed.items[0]?.unheard,
      };
    };
    const [nobody, deaf, listening] = ["+12025550151", "+12025550152", "+12025550153"];
    const waiting = await sequenceOf(ledger(), {
      steps: [
        { id: "w", wait_for: { event: "paid", timeout: "1d" }, on: { event: "end", timeout: "end" } },
        { id: "end", exit: { outcome: "over" } },
      ],
    });
    const resting = await sequenceOf(ledger());
    for (const [sequence, phone] of [
      [waiting, listening],
      [resting, deaf],
    ] as const) {
      const answer = await app.inject({
        method: "POST",
        url: `/v1/sequences/${sequence}/enrolments`,
        headers,
        payload: { phone },
      });
      expect(answer.statusCode, answer.body).toBe(202);
    }
    await send({ phone: nobody });
    expect(await newest()).toEqual({ line: expect.stringContaining("event: nobody heard it"), unheard: 1 });
    await send({ phone: deaf });
    expect(await newest()).toEqual({
      line: expect.stringContaining("event: 1 was told, and waits for no such event"),
      unheard: 1,
    });
    await send({ phone: listening });
    expect(await newest()).toEqual({ line: expect.stringContaining("1 of 1 acted on"), unheard: 0 });
  });
});
