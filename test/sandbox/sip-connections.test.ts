import { expect, test } from "vitest";
import { z } from "zod";

import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { phoneNumberDetailResponse, phoneNumberResponse } from "../../src/sandbox/schemas/phone-numbers.ts";
import { dispatchRuleResponse, sipConnectionResponse } from "../../src/sandbox/schemas/sip-connections.ts";
import { ask, eventually, get, openSandbox, PUBLISHED_AGENT, refusal, STANDING_STILL } from "./support.ts";

type Sip = z.output<typeof sipConnectionResponse>;

async function numberPath(sandbox: Sandbox, fields: Record<string, unknown> = {}): Promise<string> {
  const number = await get(phoneNumberResponse, sandbox, "POST", "/v1/phone-numbers", {
    phone_number: "+4930123456",
    ...fields,
  });
  return `/v1/phone-numbers/${number.phone_number_id}`;
}

async function connect(sandbox: Sandbox, path: string, fields: Record<string, unknown> = {}): Promise<Sip> {
  return await get(sipConnectionResponse, sandbox, "POST", `${path}/sip-connections`, {
    termination_uri: "sip.carrier.example:5060",
    ...fields,
  });
}

async function untilSync(sandbox: Sandbox, path: string, status: Sip["sync_status"]): Promise<Sip> {
  return await eventually(async () => {
    const connection = await get(sipConnectionResponse, sandbox, "GET", path);
    expect(connection.sync_status).toBe(status);
    return connection;
  });
}

const TRUNK = {
  username: "ada",
  password: "secret-of-the-trunk",
  transport: "TLS",
  connection_type: "outbound",
};

test("a connection that was made, or changed, is to be synchronised", async () => {
  const sandbox = await openSandbox({ speed: STANDING_STILL });
  const path = await numberPath(sandbox);
  const created = await connect(sandbox, path, TRUNK);
  expect(created).toMatchObject({
    sync_status: "pending",
    livekit_trunk_id: null,
    username: "ada",
    transport: "TLS",
    connection_type: "outbound",
  });
  const one = `${path}/sip-connections/${created.sip_connection_id}`;
  const changed = await ask(sandbox, "PATCH", one, { password: "another-secret", nickname: "Main" });
  expect(changed).toMatchObject({
    status: 200,
    body: { sync_status: "pending", nickname: "Main", username: "ada" },
  });
});

test("a connection is synchronised after a while, and its password never comes back", async () => {
  const sandbox = await openSandbox();
  const path = await numberPath(sandbox);
  const { sip_connection_id: id } = await connect(sandbox, path, TRUNK);
  const one = `${path}/sip-connections/${id}`;
  expect((await untilSync(sandbox, one, "synced")).livekit_trunk_id).toMatch(/^ST_/);
  await ask(sandbox, "PATCH", one, { password: "another-secret", nickname: "Main" });
  expect((await untilSync(sandbox, one, "synced")).nickname).toBe("Main");
  for (const shown of [one, `${path}/sip-connections`, path]) {
    expect(JSON.stringify((await ask(sandbox, "GET", shown)).body)).not.toMatch(/secret/);
  }
});

test("a synchronisation that fails says why, and a change tries again", async () => {
  const sandbox = await openSandbox();
  const path = await numberPath(sandbox);
  sandbox.faults.add({ kind: "sip_sync_fails", error: "trunk quota reached", times: 1 });
  const first = await connect(sandbox, path);
  const one = `${path}/sip-connections/${first.sip_connection_id}`;
  expect(await untilSync(sandbox, one, "failed")).toMatchObject({
    sync_error: "trunk quota reached",
    livekit_trunk_id: null,
  });
  expect((await ask(sandbox, "PATCH", one, { nickname: "Again" })).status).toBe(200);
  expect((await untilSync(sandbox, one, "synced")).sync_error).toBeNull();
  const nowhere = await connect(sandbox, path, { termination_uri: "sip.nowhere.invalid" });
  await untilSync(sandbox, `${path}/sip-connections/${nowhere.sip_connection_id}`, "failed");
});

test("connections are shown with their number and deleted with it", async () => {
  const sandbox = await openSandbox();
  const path = await numberPath(sandbox);
  const first = await connect(sandbox, path);
  const second = await connect(sandbox, path, { nickname: "Backup" });
  const detail = await get(phoneNumberDetailResponse, sandbox, "GET", path);
  expect(detail.sip_connections.map((connection) => connection.sip_connection_id)).toEqual([
    first.sip_connection_id,
    second.sip_connection_id,
  ]);
  const one = `${path}/sip-connections/${first.sip_connection_id}`;
  expect((await ask(sandbox, "DELETE", one)).status).toBe(200);
  expect((await ask(sandbox, "GET", one)).status).toBe(404);
  expect((await ask(sandbox, "DELETE", path)).status).toBe(200);
  expect((await ask(sandbox, "GET", `${path}/sip-connections`)).status).toBe(404);
  const again = await numberPath(sandbox);
  expect((await ask(sandbox, "GET", `${again}/sip-connections`)).body).toEqual([]);
});

test("an address is taken in every form that carriers give it in, and shown as it was given", async () => {
  const sandbox = await openSandbox();
  const path = await numberPath(sandbox);
  const hosts = [
    "sip.carrier.example",
    "203.0.113.7",
    "[2001:db8::1]",
    "[::ffff:203.0.113.7]",
    "trunk-1_a.example.",
  ];
  for (const host of hosts) {
    for (const scheme of ["", "sip:", "sips:", "sip://", "SIP:"]) {
      for (const rest of ["", ":5060", ":65535", ";transport=tls", ":5061;transport=udp;lr"]) {
        for (const user of ["", "trunk@", "+4930123456@"]) {
          const uri = `${scheme}${user}${host}${rest}`;
          expect((await connect(sandbox, path, { termination_uri: uri })).termination_uri).toBe(uri);
        }
      }
    }
  }
});

test.each([
  "http://carrier.example",
  "tel:+4930123456",
  "sip:",
  "sip://",
  "sip:///carrier.example",
  "carrier.example:0",
  "carrier.example:65536",
  "carrier.example:sip",
  "2001:db8::1",
  "[2001:db8::1",
  "[not-an-address]",
  "[1::2::3]:5060",
  "user:password@carrier.example",
  "carrier.example/path",
  "carrier.example?header=1",
  "carrier .example",
  ".example",
  "-carrier.example",
  "carrier.example;transport=tls\r\nVia: elsewhere",
  `${"a".repeat(250)}.example`,
])("%j is no address of a carrier", async (uri) => {
  const sandbox = await openSandbox();
  const path = await numberPath(sandbox);
  const { status, detail } = await refusal(sandbox, "POST", `${path}/sip-connections`, {
    termination_uri: uri,
  });
  expect(status).toBe(422);
  expect(detail).toContainEqual(expect.objectContaining({ loc: ["body", "termination_uri"] }));
});

test.each([
  "sip:trunk.invalid",
  "sip://trunk.invalid:5060",
  "trunk.INVALID.;lr",
  "sips:user@a.b.invalid:5061;transport=tls",
])("no trunk to %s can be synchronised", async (uri) => {
  const sandbox = await openSandbox();
  const path = await numberPath(sandbox);
  const { sip_connection_id: id } = await connect(sandbox, path, { termination_uri: uri });
  const failed = await untilSync(sandbox, `${path}/sip-connections/${id}`, "failed");
  expect(failed.sync_error).toContain(uri);
});

test("what is no trunk is refused with the field that is wrong", async () => {
  const sandbox = await openSandbox();
  const path = await numberPath(sandbox);
  for (const [body, field] of [
    [{}, "termination_uri"],
    [{ termination_uri: "not a host" }, "termination_uri"],
    [{ termination_uri: "sip.example.com", transport: "SCTP" }, "transport"],
    [{ termination_uri: "sip.example.com", connection_type: "sideways" }, "connection_type"],
  ] as const) {
    const { status, detail } = await refusal(sandbox, "POST", `${path}/sip-connections`, body);
    expect(status).toBe(422);
    expect(detail).toContainEqual(expect.objectContaining({ loc: ["body", field] }));
  }
});

test("inbound calls are routed by one rule, to the inbound agent of the number", async () => {
  const sandbox = await openSandbox();
  const path = await numberPath(sandbox);
  const rules = async () =>
    await get(z.array(dispatchRuleResponse), sandbox, "GET", `${path}/dispatch-rules`);
  expect(await rules()).toEqual([]);
  const linked = await get(phoneNumberDetailResponse, sandbox, "PATCH", `${path}/agents`, {
    inbound_agent_id: PUBLISHED_AGENT,
  });
  expect(linked).toMatchObject({
    inbound_agent_id: PUBLISHED_AGENT,
    outbound_agent_id: null,
    inbound_agent_name: "Renewal assistant",
  });
  expect(await rules()).toMatchObject([{ agent_id: PUBLISHED_AGENT, rule_type: "individual" }]);
  await get(phoneNumberDetailResponse, sandbox, "PATCH", `${path}/agents`, { inbound_agent_id: null });
  expect(await rules()).toEqual([]);
  expect((await ask(sandbox, "PATCH", `${path}/agents`, { inbound_agent_id: "nobody" })).status).toBe(404);
});

test("calls go to the countries of the number's list and to no others", async () => {
  const sandbox = await openSandbox();
  await numberPath(sandbox, { allowed_outbound_countries: ["DE", "FR"] });
  const call = async (to: string) =>
    await refusal(sandbox, "POST", "/v1/calls/phone", {
      agent_id: PUBLISHED_AGENT,
      from_number: "+4930123456",
      to_number: to,
    }).catch(() => "placed");
  expect(await call("+4989123456")).toBe("placed");
  expect(await call("+33142685300")).toBe("placed");
  expect(await call("+12025550123")).toMatchObject({
    status: 422,
    detail: [{ loc: ["body", "to_number"], type: "country_not_allowed" }],
  });
  const batch = await refusal(sandbox, "POST", "/v1/batch-calls", {
    agent_id: PUBLISHED_AGENT,
    from_number: "+4930123456",
    contacts: [{ phone_number: "+4989123456" }, { phone_number: "+442071838750" }],
  });
  expect(batch).toMatchObject({ status: 422, detail: [{ loc: ["body", "contacts", 1, "phone_number"] }] });
});
