import { sql } from "drizzle-orm";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { KeyRotationRefusedError } from "../../../src/activities/keys/key-in-use.ts";
import { tendKeyRotation } from "../../../src/activities/keys/tend.ts";
import { watchKey } from "../../../src/chores/keys/watch.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { claimTry } from "../../../src/ledger/keys/key-rotations.ts";
import {
  type ApiKey,
  type ApiKeys,
  BadGatewayError,
  givenKey,
  type KeyFile,
} from "../../../src/platform/index.ts";
import { createSandbox, type Sandbox } from "../../../src/sandbox/sandbox.ts";
import {
  begin,
  keyFileWith,
  keyProcess,
  type KeyProcess,
  readKey,
  rotationOf,
  tendUntil,
  travelClock,
} from "../../support/keys.ts";
import { describeSomeLedger, given, withLedger } from "../../support/ledgers.ts";

/** What the sandbox makes; nothing that people or programs see may look like it. */
const A_KEY = /sbx_[\w-]{30,}/;

async function openSandbox(): Promise<Sandbox> {
  const sandbox = await createSandbox({ speed: 1 });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** A sandbox, a file with a key of it that was made as people make keys, and a process that uses it. */
async function start(ledger: Ledger, body: object = {}) {
  const sandbox = await openSandbox();
  const answer = await ask(sandbox, sandbox.apiKey, "POST", "/v1/api-keys", { name: "outdial", ...body });
  const { key, id } = (await answer.json()) as { key: string; id: string };
  const file = keyFileWith(key);
  const clock = travelClock();
  return { sandbox, file, clock, first: key, keyId: id, ...keyProcess(ledger, sandbox, file, clock) };
}

function ask(sandbox: Sandbox, key: string, method: string, route: string, body?: object): Promise<Response> {
  return fetch(`${sandbox.url}${route}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function works(sandbox: Sandbox, key: string): Promise<boolean> {
  return (await ask(sandbox, key, "GET", "/v1/agents")).ok;
}

/** The ids of the keys under Outdial's name that are good for anything. */
async function keysOf(sandbox: Sandbox): Promise<string[]> {
  const answer = await ask(sandbox, sandbox.apiKey, "GET", "/v1/api-keys");
  const keys = (await answer.json()) as { id: string; name: string }[];
  return keys.filter(({ name }) => name === "outdial").map(({ id }) => id);
}

async function openAttention(ledger: Ledger) {
  return (await listAttention(ledger.db, { resolved: false, limit: 100 })).items;
}

async function everythingWritten(ledger: Ledger): Promise<string> {
  const written = [
    await rows(ledger.db, sql`select * from key_rotations`),
    await rows(ledger.db, sql`select * from audit`),
    await rows(ledger.db, sql`select * from attention`),
    await rows(ledger.db, sql`select * from outbox`),
  ];
  return JSON.stringify(written);
}

/** All that a platform need not say of a key. */
const NOTHING_SHOWN = {
  scopes: undefined,
  rate_limit_tier: undefined,
  ip_allowlist: undefined,
  is_active: undefined,
  usage_count: undefined,
  last_used_at: undefined,
  last_used_ip: undefined,
  created_at: undefined,
  expires_at: undefined,
  grace_period_ends_at: undefined,
};

class Killed extends Error {}

/** A process that dies at the n-th moment before or after something that outlives it. */
function dyingAt(process: KeyProcess, moment: number): { deps: ActivityDeps; died: () => boolean } {
  let at = 0;
  let dead = false;
  const point = () => {
    at += 1;
    if (at === moment) dead = true;
    if (dead) throw new Killed();
  };
  const around = <T extends object>(target: T, names: readonly string[]): T =>
    new Proxy(target, {
      get(_, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        const bound = (...input: unknown[]): unknown => Reflect.apply(member, target, input);
        if (typeof name !== "string" || !names.includes(name)) return bound;
        return (...input: unknown[]): unknown => {
          point();
          const result = bound(...input);
          if (!(result instanceof Promise)) {
            point();
            return result;
          }
          return result.then((value: unknown) => {
            point();
            return value;
          });
        };
      },
    });
  const { deps } = process;
  const keys = given(deps.keys);
  const REQUESTS = ["rotate", "get", "usage", "delete", "update"];
  const file: KeyFile = around(given(keys.inUse.file), ["stage", "use", "drop"]);
  const { ledger } = deps;
  const dying: ActivityDeps = {
    ...deps,
    platform: { ...deps.platform, apiKeys: around(deps.platform.apiKeys, REQUESTS) },
    keys: { ...keys, inUse: { ...keys.inUse, file } },
    ledger: {
      kind: ledger.kind,
      db: around(ledger.db, ["execute"]),
      urgent: ledger.urgent,
      transaction: async (work) => {
        point();
        const result = await ledger.transaction(work);
        point();
        return result;
      },
      hasRoom: () => ledger.hasRoom(),
      close: () => ledger.close(),
    },
  };
  return { deps: dying, died: () => dead };
}

describeSomeLedger("a rotation of the platform's key", (ledger) => {
  it("puts a new key in use for every process, revokes the old one, and shows no key anywhere", async () => {
    const world = await start(ledger());
    const { sandbox, file, clock, first, keyId, deps } = world;
    const other = keyProcess(ledger(), sandbox, file, clock);
    await other.deps.platform.agents.list();
    const rotation = await begin(deps).then((id) => tendUntil(deps, clock, id));
    expect(rotation).toMatchObject({ state: "done", tries: 1, oldKeyId: keyId });
    const fresh = readKey(file);
    expect(fresh).not.toBe(first);
    expect(await works(sandbox, fresh)).toBe(true);
    expect(await works(sandbox, first)).toBe(false);
    expect(await keysOf(sandbox)).toEqual([rotation.newKeyId]);
    // The other process learns of it when it is refused, whether it reads or writes.
    await other.deps.platform.agents.list();
    expect(other.key.current()).toBe(fresh);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
    expect(`${await everythingWritten(ledger())}${world.logged.join("")}`).not.toMatch(A_KEY);
    expect(await openAttention(ledger())).toEqual([]);
  });

  it("asks again within the grace where the answer with the new key was lost, and takes the lost one back", async () => {
    const { sandbox, file, clock, first, deps, logged } = await start(ledger());
    sandbox.faults.add({ kind: "drop_after", route: "POST /v1/api-keys/:id/rotate", times: 2 });
    const rotation = await begin(deps).then((id) => tendUntil(deps, clock, id));
    expect(rotation).toMatchObject({ state: "done", tries: 3 });
    expect(await works(sandbox, readKey(file))).toBe(true);
    expect(readKey(file)).not.toBe(first);
    expect(await keysOf(sandbox)).toEqual([rotation.newKeyId]);
    expect(`${await everythingWritten(ledger())}${logged.join("")}`).not.toMatch(A_KEY);
  });

  it("comes to the same end when two workers take it on at once", async () => {
    const { sandbox, file, clock, deps } = await start(ledger());
    const other = keyProcess(ledger(), sandbox, file, clock);
    const rotationId = await begin(deps);
    const turns = () =>
      Promise.allSettled([deps, other.deps].map((each) => tendKeyRotation(each, { rotationId })));
    for (let turn = 0; turn < 8; turn += 1) {
      await turns();
      expect(await works(sandbox, readKey(file))).toBe(true);
    }
    const rotation = await tendUntil(deps, clock, rotationId);
    expect(rotation.state).toBe("done");
    expect(await keysOf(sandbox)).toEqual([rotation.newKeyId]);
  });

  it("waits for the answer of a worker that has asked since, and does not ask against it", async () => {
    const { sandbox, clock, deps } = await start(ledger());
    const rotationId = await begin(deps);
    const { apiKeys } = deps.platform;
    let asked = 0;
    const rotate: ApiKeys["rotate"] = async (...input) => {
      asked += 1;
      const created = await apiKeys.rotate(...input);
      const nowMs = deps.now();
      await claimTry(ledger().db, { rotationId, graceUntilMs: nowMs, nowMs });
      return created;
    };
    const slow = { ...deps, platform: { ...deps.platform, apiKeys: { ...apiKeys, rotate } } };
    expect(await tendKeyRotation(slow, { rotationId })).toEqual({ next: "wait", waitMs: deps.pace.lookMs });
    expect(asked).toBe(1);
    const rotation = await tendUntil(deps, clock, rotationId);
    expect(rotation).toMatchObject({ state: "done", tries: 3 });
    expect(await keysOf(sandbox)).toEqual([rotation.newKeyId]);
  });

  it("is refused while another one is under way, with a key of the environment, and without the scope", async () => {
    const { sandbox, file, clock, deps } = await start(ledger());
    const rotationId = await begin(deps);
    await expect(begin(deps)).rejects.toThrow(/under way/);
    await tendUntil(deps, clock, rotationId);
    const keys = given(deps.keys);
    const fromEnvironment = { ...deps, keys: { ...keys, inUse: givenKey(readKey(file)) } };
    await expect(begin(fromEnvironment)).rejects.toThrow(/PLATFORM_API_KEY_FILE/);
    const reader = await start(ledger(), { scopes: ["api_keys:read", "agents:read"] });
    await expect(begin(reader.deps)).rejects.toThrow(/scope api_keys:write/);
    await expect(begin(reader.deps)).rejects.toBeInstanceOf(KeyRotationRefusedError);
    expect(await keysOf(reader.sandbox)).toEqual([reader.keyId]);
    expect(await works(sandbox, readKey(file))).toBe(true);
  });

  it("keeps the old key in use where the new one is refused, takes the new one back, and says what to do", async () => {
    const { sandbox, file, clock, first, keyId, deps } = await start(ledger());
    const keys = given(deps.keys);
    const failing = { ...deps, keys: { ...keys, open: () => keys.open("sbx_wrong") } };
    const rotation = await begin(failing).then((id) => tendUntil(failing, clock, id));
    expect(rotation).toMatchObject({
      state: "failed",
      error: expect.stringContaining("refuses it") as string,
    });
    expect(readKey(file)).toBe(first);
    expect(await works(sandbox, first)).toBe(true);
    expect(await keysOf(sandbox)).toEqual([keyId]);
    expect(fs.readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
    expect(await openAttention(ledger())).toMatchObject([{ kind: "key_rotation", subject: rotation.id }]);
    // Once that is mended the next one goes through, within what is left of the old key's grace.
    const next = await begin(deps).then((id) => tendUntil(deps, clock, id));
    expect(next.state).toBe("done");
    expect(await openAttention(ledger())).toEqual([]);
  });

  it("waits with revoking while somebody else still uses the old key, and says who", async () => {
    const { sandbox, clock, first, deps } = await start(ledger());
    clock.aheadMs = -60 * 60_000;
    const rotationId = await begin(deps);
    await tendUntil(deps, clock, rotationId, ({ state }) => state === "switched");
    clock.aheadMs = 0;
    expect(await works(sandbox, first)).toBe(true);
    await tendKeyRotation(deps, { rotationId });
    expect((await rotationOf(ledger(), rotationId)).state).toBe("switched");
    const [told] = await openAttention(ledger());
    expect(told?.summary).toMatch(/still used, last at .* from (?:127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)/);
    expect(await works(sandbox, first)).toBe(true);
    await tendUntil(deps, clock, rotationId);
    expect(await works(sandbox, first)).toBe(false);
    expect(await openAttention(ledger())).toEqual([]);
  });

  it("asks once more where what was stored is gone from the disk", async () => {
    const { sandbox, file, clock, deps } = await start(ledger());
    const rotationId = await begin(deps);
    const stopped = new Killed();
    const keys = given(deps.keys);
    const stopping = {
      ...deps,
      keys: {
        ...keys,
        open: () => {
          throw stopped;
        },
      },
    };
    await expect(tendKeyRotation(stopping, { rotationId })).rejects.toBe(stopped);
    given(keys.inUse.file).drop(rotationId);
    const rotation = await tendUntil(deps, clock, rotationId);
    expect(rotation).toMatchObject({ state: "done", tries: 2 });
    expect(await works(sandbox, readKey(file))).toBe(true);
    expect(await keysOf(sandbox)).toEqual([rotation.newKeyId]);
  });

  it("revokes nothing where the platform keeps the key's id, and ends with the old key's grace", async () => {
    const { file, clock, first, deps } = await start(ledger());
    const record: ApiKey = { ...NOTHING_SHOWN, id: "one", name: "outdial", key_prefix: first.slice(0, 10) };
    const deleted: string[] = [];
    let rotated = 0;
    const apiKeys: Partial<ApiKeys> = {
      async *iterate() {
        yield record;
      },
      get: async () => record,
      usage: () => Promise.reject(new Error("it says nothing of the old key")),
      rotate: async () => {
        rotated += 1;
        record.key_prefix = `sbx_new${rotated}`;
        // The first one is lost.
        if (rotated === 1)
          throw new BadGatewayError({ endpoint: undefined, problem: "502", effect: "may_have_happened" });
        return { ...record, key: `sbx_new${rotated}_and_the_rest_of_it`, message: undefined };
      },
      delete: async (id) => void deleted.push(id),
    };
    const platform = { ...deps.platform, apiKeys: { ...deps.platform.apiKeys, ...apiKeys } };
    const keeping = { ...deps, platform, keys: { ...given(deps.keys), open: () => platform } };
    const begunMs = clock.now();
    const rotation = await begin(keeping, 3).then((id) => tendUntil(keeping, clock, id));
    expect(rotation).toMatchObject({ state: "done", tries: 2, oldKeyId: "one", newKeyId: "one" });
    expect(deleted).toEqual([]);
    expect(readKey(file)).toBe("sbx_new2_and_the_rest_of_it");
    expect(clock.now() - begunMs).toBeGreaterThanOrEqual(3 * 60 * 60_000);
  });

  it("uses the new key that a process stored before it died, where the old one has ended meanwhile", async () => {
    const { sandbox, file, clock, keyId, deps } = await start(ledger());
    const rotationId = await begin(deps);
    const made = await deps.platform.apiKeys.rotate(keyId, {});
    given(deps.keys?.inUse.file).stage(rotationId, made.key);
    await ask(sandbox, sandbox.apiKey, "DELETE", `/v1/api-keys/${keyId}`);
    const rotation = await tendUntil(deps, clock, rotationId);
    expect(rotation).toMatchObject({ state: "done", tries: 0, newKeyId: made.id });
    expect(readKey(file)).toBe(made.key);
    expect(await works(sandbox, made.key)).toBe(true);
    expect(await openAttention(ledger())).toEqual([]);
  });

  it("keeps a new key that is refused as long as the old one is refused, too", async () => {
    const { sandbox, file, clock, keyId, deps } = await start(ledger());
    const keys = given(deps.keys);
    const closed = { ...deps, keys: { ...keys, open: () => keys.open("sbx_wrong") } };
    const rotationId = await begin(deps);
    await tendUntil(closed, clock, rotationId, ({ state }) => state === "stored");
    await ask(sandbox, sandbox.apiKey, "DELETE", `/v1/api-keys/${keyId}`);
    clock.aheadMs += 60 * 60_000;
    await tendKeyRotation(closed, { rotationId });
    expect((await rotationOf(ledger(), rotationId)).state).toBe("stored");
    expect(await openAttention(ledger())).toMatchObject([{ kind: "key_rotation", subject: rotationId }]);
    expect(await tendUntil(deps, clock, rotationId)).toMatchObject({ state: "done" });
    expect(await works(sandbox, readKey(file))).toBe(true);
  });

  it("waits for a person where the key in use is refused, says so, and ends when another one is in the file", async () => {
    const { sandbox, file, clock, deps } = await start(ledger());
    const rotationId = await begin(deps);
    const { newKeyId } = await tendUntil(deps, clock, rotationId, ({ state }) => state === "switched");
    await ask(sandbox, sandbox.apiKey, "DELETE", `/v1/api-keys/${given(newKeyId)}`);
    expect(await tendKeyRotation(deps, { rotationId })).toEqual({
      next: "wait",
      waitMs: deps.pace.refusedLookMs,
    });
    const [told] = await openAttention(ledger());
    expect(told).toMatchObject({ kind: "key_rotation", subject: rotationId });
    expect(`${told?.summary} ${told?.remedy}`).toMatch(/refuses the key in use.*write it to the file/);
    fs.writeFileSync(file, `${sandbox.apiKey}\n`);
    expect(await tendUntil(deps, clock, rotationId)).toMatchObject({ state: "done" });
    expect(await openAttention(ledger())).toEqual([]);
  });

  it("tells people that the key in use is refused, until one is in its file that works", async () => {
    const { sandbox, file, keyId, deps } = await start(ledger());
    await ask(sandbox, sandbox.apiKey, "DELETE", `/v1/api-keys/${keyId}`);
    await watchKey(deps);
    expect(await openAttention(ledger())).toMatchObject([{ kind: "key_expiring", subject: "in use" }]);
    fs.writeFileSync(file, `${sandbox.apiKey}\n`);
    await watchKey(deps);
    expect(await openAttention(ledger())).toEqual([]);
  });

  it("tells people once a month, a week and a day before the key ends, until another one is in use", async () => {
    const { clock, deps } = await start(ledger(), { expires_in_days: 60 });
    const told = async () => {
      await watchKey(deps);
      await watchKey(deps);
      return (await openAttention(ledger())).map(({ kind, times, summary, remedy }) => ({
        kind,
        times,
        within: /in less than (.*):/.exec(summary)?.[1],
        remedy,
      }));
    };
    const DAY_MS = 86_400_000;
    expect(await told()).toEqual([]);
    const entry = { kind: "key_expiring", remedy: "`outdial key rotate`" };
    clock.aheadMs = 31 * DAY_MS;
    expect(await told()).toEqual([{ ...entry, times: 1, within: "30 days" }]);
    clock.aheadMs = 54 * DAY_MS;
    expect(await told()).toEqual([{ ...entry, times: 2, within: "7 days" }]);
    clock.aheadMs = 59.5 * DAY_MS;
    expect(await told()).toEqual([{ ...entry, times: 3, within: "a day" }]);
    clock.aheadMs = 0;
    await begin(deps).then((id) => tendUntil(deps, clock, id));
    expect(await told()).toEqual([]);
  });
});

describe("a process that dies", () => {
  withLedger((ledger) => {
    it("at any moment of a rotation leaves a key in use that works, and the next one finishes", async () => {
      const { sandbox, file, clock } = await start(ledger());
      let moment = 0;
      let died = true;
      while (died) {
        moment += 1;
        const before = readKey(file);
        const sound = keyProcess(ledger(), sandbox, file, clock);
        const rotationId = await begin(sound.deps);
        const dying = dyingAt(sound, moment);
        await tendUntil(dying.deps, clock, rotationId).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
        });
        died = dying.died();
        expect(await works(sandbox, readKey(file)), `after dying at moment ${moment}`).toBe(true);
        const after = keyProcess(ledger(), sandbox, file, clock);
        const rotation = await tendUntil(after.deps, clock, rotationId);
        expect(rotation.state, `moment ${moment}`).toBe("done");
        expect(rotation.tries).toBeLessThanOrEqual(2);
        expect(readKey(file)).not.toBe(before);
        expect(await works(sandbox, readKey(file))).toBe(true);
        expect(await keysOf(sandbox), `keys after dying at moment ${moment}`).toEqual([rotation.newKeyId]);
        await tendKeyRotation(after.deps, { rotationId });
        expect(fs.readdirSync(path.dirname(file)), `moment ${moment}`).toEqual([path.basename(file)]);
      }
      // Far fewer would mean that it did not die where it says.
      expect(moment).toBeGreaterThan(20);
    });
  });
});
