import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";

import { allows } from "../../src/sandbox/auth.ts";
import type { Scope } from "../../src/sandbox/auth.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import {
  apiKeyCreatedResponse,
  apiKeyResponse,
  apiKeyUsageResponse,
  SCOPES,
} from "../../src/sandbox/schemas/api-keys.ts";
import { isAddressAllowed } from "../../src/sandbox/state/api-keys.ts";
import { ask, createBatch, eventually, get, listen, openSandbox, phones, STANDING_STILL } from "./support.ts";
import type { Answer } from "./support.ts";

type Key = z.output<typeof apiKeyCreatedResponse>;

async function createKey(sandbox: Sandbox, fields: Record<string, unknown> = {}): Promise<Key> {
  return await get(apiKeyCreatedResponse, sandbox, "POST", "/v1/api-keys", { name: "a key", ...fields });
}

async function statusWith(key: string, sandbox: Sandbox, method: string, path: string): Promise<number> {
  return (await ask(sandbox, method, path, undefined, key)).status;
}

async function listed(sandbox: Sandbox, query = ""): Promise<string[]> {
  const keys = await get(z.array(apiKeyResponse), sandbox, "GET", `/v1/api-keys${query}`);
  return keys.map(({ id }) => id);
}

test("a new key works at once, and is shown in full in that answer alone", async () => {
  const sandbox = await openSandbox();
  const created = await createKey(sandbox);
  expect(created).toMatchObject({
    scopes: ["*"],
    rate_limit_tier: "starter",
    ip_allowlist: [],
    is_active: true,
    usage_count: 0,
  });
  expect(await statusWith(created.key, sandbox, "GET", "/v1/agents")).toBe(200);
  for (const path of ["/v1/api-keys", `/v1/api-keys/${created.id}`, `/v1/api-keys/${created.id}/usage`]) {
    const { body } = await ask(sandbox, "GET", path);
    expect(JSON.stringify(body)).not.toContain(created.key);
    expect(JSON.stringify(body)).toContain(created.key_prefix);
  }
});

test("a key is refused with the field that is wrong", async () => {
  const sandbox = await openSandbox();
  for (const [field, value] of [
    ["name", ""],
    ["scopes", ["agents:admin"]],
    ["expires_in_days", 0],
    ["expires_in_days", 731],
    ["rate_limit_tier", "gold"],
    ["ip_allowlist", ["10.0.0.0/33"]],
    ["ip_allowlist", ["somewhere"]],
  ] as const) {
    const answer = await ask(sandbox, "POST", "/v1/api-keys", { name: "a key", [field]: value });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain(`"body","${field}"`);
  }
});

test("a key with one scope does what the scope implies and nothing else", async () => {
  const sandbox = await openSandbox();
  const { key } = await createKey(sandbox, { scopes: ["agents:write"] });
  expect(await statusWith(key, sandbox, "GET", "/v1/agents")).toBe(200);
  expect(await statusWith(key, sandbox, "PATCH", "/v1/agents/nobody")).not.toBe(403);
  expect(await statusWith(key, sandbox, "DELETE", "/v1/agents/nobody")).toBe(403);
  expect(await statusWith(key, sandbox, "GET", "/v1/calls")).toBe(403);
});

test("scopes form the documented lattice", () => {
  const right = { read: 1, write: 2, delete: 3 } as const;
  const rankOf = (scope: string) => right[(scope.split(":")[1] ?? "read") as keyof typeof right];
  fc.assert(
    fc.property(
      fc.subarray([...SCOPES]),
      fc.constantFrom(...SCOPES.filter((scope) => scope !== "*")),
      (granted, needed) => {
        const expected = granted.some(
          (scope) =>
            scope === "*" ||
            (scope.split(":")[0] === needed.split(":")[0] && rankOf(scope) >= rankOf(needed)),
        );
        expect(allows(granted, needed as Scope)).toBe(expected);
        // More scopes never allow less.
        for (const more of SCOPES) {
          expect(allows([...granted, more], needed as Scope) || !expected).toBe(true);
        }
      },
    ),
  );
});

test("an expired key is refused with 401", async () => {
  // A day takes 0.1 s, and the seed's key none: it never expires.
  const sandbox = await openSandbox({ speed: 864_000 });
  const { key } = await createKey(sandbox, { expires_in_days: 1 });
  await eventually(async () => {
    expect(await statusWith(key, sandbox, "GET", "/v1/agents")).toBe(401);
  });
});

test("a key that is switched off opens nothing, is left out of the list, and can be switched on again", async () => {
  const sandbox = await openSandbox();
  const { id, key } = await createKey(sandbox);
  await get(apiKeyResponse, sandbox, "PATCH", `/v1/api-keys/${id}`, { is_active: false });
  expect(await statusWith(key, sandbox, "GET", "/v1/agents")).toBe(401);
  expect(await listed(sandbox)).not.toContain(id);
  expect(await listed(sandbox, "?include_inactive=true")).toContain(id);
  await get(apiKeyResponse, sandbox, "PATCH", `/v1/api-keys/${id}`, { is_active: true });
  expect(await statusWith(key, sandbox, "GET", "/v1/agents")).toBe(200);
});

test("a revoked key is gone at once", async () => {
  const sandbox = await openSandbox();
  const { id, key } = await createKey(sandbox);
  expect(await ask(sandbox, "DELETE", `/v1/api-keys/${id}`)).toMatchObject({ status: 204, body: "" });
  expect(await statusWith(key, sandbox, "GET", "/v1/agents")).toBe(401);
  expect((await ask(sandbox, "GET", `/v1/api-keys/${id}`)).status).toBe(404);
  expect(await listed(sandbox, "?include_inactive=true")).not.toContain(id);
});

test("a rotated key stays good for its grace period, and the new one has the same rights", async () => {
  const rotated = async (speed: number) => {
    const sandbox = await openSandbox({ speed });
    const old = await createKey(sandbox, { scopes: ["agents:read"], ip_allowlist: ["127.0.0.0/8"] });
    const path = `/v1/api-keys/${old.id}`;
    const fresh = await get(apiKeyCreatedResponse, sandbox, "POST", `${path}/rotate`, {
      grace_period_hours: 1,
    });
    return { sandbox, old, fresh, path };
  };
  const { sandbox, old, fresh, path } = await rotated(STANDING_STILL);
  expect(fresh.key).not.toBe(old.key);
  expect(fresh).toMatchObject({ scopes: ["agents:read"], ip_allowlist: ["127.0.0.0/8"], name: "a key" });
  const shown = await get(apiKeyResponse, sandbox, "GET", path);
  expect(shown.grace_period_ends_at).not.toBeNull();
  expect(await statusWith(old.key, sandbox, "GET", "/v1/agents")).toBe(200);
  expect(await statusWith(fresh.key, sandbox, "GET", "/v1/agents")).toBe(200);

  // An hour takes 0.36 s.
  const later = await rotated(10_000);
  await eventually(async () => {
    expect(await statusWith(later.old.key, later.sandbox, "GET", "/v1/agents")).toBe(401);
  });
  expect(await statusWith(later.fresh.key, later.sandbox, "GET", "/v1/agents")).toBe(200);
  expect((await ask(later.sandbox, "POST", `${later.path}/rotate`)).status).toBe(409);
});

test("a key is refused from an address that is not on its list, on the stream as well", async () => {
  const sandbox = await openSandbox();
  const away = await createKey(sandbox, { ip_allowlist: ["192.0.2.0/24", "2001:db8::/32"] });
  const here = await createKey(sandbox, { ip_allowlist: ["192.0.2.7", "127.0.0.0/8"] });
  expect(await statusWith(away.key, sandbox, "GET", "/v1/agents")).toBe(403);
  expect(await statusWith(here.key, sandbox, "GET", "/v1/agents")).toBe(200);
  const batch = await createBatch(sandbox, phones(1));
  await expect(listen(sandbox, batch.batch_call_id, { token: away.key })).rejects.toThrow("refused: 403");
  await listen(sandbox, batch.batch_call_id, { token: here.key });
});

test("addresses and ranges of both kinds are compared as what they are", () => {
  for (const [list, address, allowed] of [
    [[], "203.0.113.9", true],
    [["203.0.113.9"], "203.0.113.9", true],
    [["203.0.113.9"], "203.0.113.8", false],
    [["203.0.113.0/28"], "203.0.113.15", true],
    [["203.0.113.0/28"], "203.0.113.16", false],
    [["203.0.113.0/28"], "::ffff:203.0.113.15", true],
    [["2001:db8::/32"], "2001:db8:1::1", true],
    [["2001:db8::/32"], "203.0.113.1", false],
    [["0.0.0.0/0"], "2001:db8::1", false],
    [["127.0.0.1"], "not an address", false],
  ] as const) {
    expect([list, address, isAddressAllowed(list, address)]).toEqual([list, address, allowed]);
  }
});

test("a key above the rate of its tier is told 429 and when to come back; other keys are not held up", async () => {
  const sandbox = await openSandbox();
  const { key, id } = await createKey(sandbox, { rate_limit_tier: "free" });
  const usage = await get(apiKeyUsageResponse, sandbox, "GET", `/v1/api-keys/${id}/usage`);
  const answers: Answer[] = [];
  // The bucket fills while it is emptied, by one a second.
  while (!answers.some(({ status }) => status === 429) && answers.length < 10 * usage.rate_limits.burst) {
    answers.push(await ask(sandbox, "GET", "/v1/agents", undefined, key));
  }
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every(({ headers }) => /^[1-9]\d*$/.test(headers.get("retry-after") ?? ""))).toBe(true);
  expect(answers.slice(0, usage.rate_limits.burst).every(({ status }) => status === 200)).toBe(true);
  expect((await ask(sandbox, "GET", "/v1/agents")).status).toBe(200);
});

test("use is counted: how often, when last, from where", async () => {
  const sandbox = await openSandbox();
  const { key, id } = await createKey(sandbox);
  const path = `/v1/api-keys/${id}/usage`;
  expect(await get(apiKeyUsageResponse, sandbox, "GET", path)).toMatchObject({
    total_requests: 0,
    last_used_at: null,
  });
  await statusWith(key, sandbox, "GET", "/v1/agents");
  const beforeMs = Date.now();
  await statusWith(key, sandbox, "GET", "/v1/calls");
  const afterMs = Date.now();
  const used = await get(apiKeyUsageResponse, sandbox, "GET", path);
  expect(used).toMatchObject({ total_requests: 2, last_used_ip: "127.0.0.1", is_active: true });
  expect(Date.parse(used.last_used_at ?? "")).toBeGreaterThanOrEqual(beforeMs);
  expect(Date.parse(used.last_used_at ?? "")).toBeLessThanOrEqual(afterMs);
});

test("keys are listed by pages", async () => {
  const sandbox = await openSandbox();
  for (let index = 0; index < 24; index += 1) {
    await createKey(sandbox, { name: `key ${index}` });
  }
  const first = await listed(sandbox);
  const second = await listed(sandbox, "?skip=20");
  expect([first.length, second.length, new Set([...first, ...second]).size]).toEqual([20, 5, 25]);
  expect((await ask(sandbox, "GET", "/v1/api-keys?limit=1001")).status).toBe(422);
  expect((await ask(sandbox, "GET", "/v1/api-keys?skip=")).status).toBe(422);
});
