/**
 * Properties over real requests, tried on random input. fast-check prints the seed and the path of what fails;
 * OUTDIAL_TEST_SEED takes a seed back (test/support/seed.ts).
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ConflictError, ForbiddenError, type Platform } from "../../src/platform/index.ts";
import {
  all,
  CALLER_ID,
  clientWith,
  eventually,
  freshPhone,
  given,
  openWorld,
  PUBLISHED_AGENT,
  type World,
} from "./support/world.ts";

interface List {
  readonly insert: (platform: Platform) => Promise<string>;
  readonly walk: (platform: Platform, limit: number) => AsyncIterable<unknown>;
  readonly id: string;
}

/** One list of each way of counting (contract 2.1.2). All of them show what is oldest first. */
const lists: Readonly<Record<string, List>> = {
  "skip and limit": {
    insert: async (platform) => (await platform.agents.create({ agent_name: "one more" })).agent_id,
    walk: (platform, limit) => platform.agents.iterate({ limit }),
    id: "agent_id",
  },
  "page and per_page": {
    insert: async (platform) =>
      (await platform.workflows.create({ name: "one more", trigger_type: "webhook", workflow_json: {} }))
        .workflow_id,
    walk: (platform, per_page) => platform.workflows.iterate({ per_page }),
    id: "workflow_id",
  },
  "limit and offset": {
    // What is paid for is a row: the ledger takes no other insert.
    insert: async (platform) => {
      const { session_id: id } = await platform.chat.create({ agent_id: PUBLISHED_AGENT });
      await platform.chat.send(id, "hello");
      return id;
    },
    walk: (platform, limit) => platform.billing.iterateTransactions({ limit }),
    id: "id",
  },
};

describe.each(Object.entries(lists))("a list that counts with %s", (_, { insert, walk, id }) => {
  test("shows each row once to a walk during which others are added, and misses none that was there", async () => {
    const world = await openWorld();
    await fc.assert(
      fc.asyncProperty(
        fc.record({ before: fc.nat(6), during: fc.nat(4), limit: fc.integer({ min: 1, max: 7 }) }),
        async ({ before, during, limit }) => {
          for (let n = 0; n < before; n += 1) await insert(world.platform);
          const there = idsOf(await all(walk(world.platform, 1_000)), id);
          const seen: string[] = [];
          let added = 0;
          for await (const row of walk(world.platform, limit)) {
            seen.push(...idsOf([row], id));
            if (added < during && seen.length % 2 === 1) {
              added += 1;
              await insert(world.platform);
            }
          }
          expect(new Set(seen).size).toBe(seen.length);
          expect(seen.slice(0, there.length)).toEqual(there);
          const now = idsOf(await all(walk(world.platform, 1_000)), id);
          expect(now.slice(0, seen.length)).toEqual(seen);
        },
      ),
      { numRuns: 12 },
    );
  });
});

function idsOf(rows: readonly unknown[], id: string): string[] {
  return rows.map((row) => String(Reflect.get(Object(row), id)));
}

describe("scopes (contract 5.4, 5.5)", () => {
  const NOTHING = "00000000-0000-4000-8000-000000000000";

  /** One request for each scope of the contract that an endpoint needs; what they name is not there: 404 is let in. */
  const doors: Readonly<Record<string, (platform: Platform) => Promise<unknown>>> = {
    "agents:read": (p) => p.agents.get(NOTHING),
    "agents:write": (p) => p.agents.update(NOTHING, {}),
    "agents:delete": (p) => p.agents.delete(NOTHING),
    "calls:read": (p) => p.calls.get(NOTHING),
    "calls:write": (p) => p.calls.end(NOTHING),
    "calls:delete": (p) => p.calls.delete(NOTHING),
    "phone_numbers:read": (p) => p.phoneNumbers.get(NOTHING),
    "phone_numbers:write": (p) => p.phoneNumbers.update(NOTHING, {}),
    "phone_numbers:delete": (p) => p.phoneNumbers.delete(NOTHING),
    "batch_calls:read": (p) => p.batchCalls.get(NOTHING),
    "batch_calls:write": (p) => p.batchCalls.start(NOTHING),
    "batch_calls:delete": (p) => p.batchCalls.delete(NOTHING),
    "workflows:read": (p) => p.workflows.get(NOTHING),
    "workflows:write": (p) => p.workflows.deploy(NOTHING),
    "workflows:delete": (p) => p.workflows.delete(NOTHING),
    "analytics:read": (p) => p.analytics.summary(),
    "knowledge_bases:read": (p) => p.knowledgeBases.get(NOTHING),
    "knowledge_bases:write": (p) =>
      p.knowledgeBases.addDocument(NOTHING, { data: Buffer.from("x"), filename: "x" }),
    "knowledge_bases:delete": (p) => p.knowledgeBases.delete(NOTHING),
    "config:read": (p) => p.config.defaults(),
    "api_keys:read": (p) => p.apiKeys.get(NOTHING),
    "api_keys:write": (p) => p.apiKeys.update(NOTHING, {}),
    "api_keys:delete": (p) => p.apiKeys.delete(NOTHING),
  };

  const SCOPES = [...Object.keys(doors), "webhooks:read", "webhooks:write", "*"];

  /** The lattice in the contract's words: write implies read, delete implies write and read, * is everything. */
  function opens(granted: readonly string[], door: string): boolean {
    const [resource, right] = door.split(":");
    const implying = { read: ["read", "write", "delete"], write: ["write", "delete"], delete: ["delete"] };
    const enough = right === "read" || right === "write" || right === "delete" ? implying[right] : [];
    return granted.includes("*") || enough.some((one) => granted.includes(`${resource}:${one}`));
  }

  async function isLetIn(request: Promise<unknown>): Promise<boolean> {
    const error: unknown = await request.catch((reason: unknown) => reason);
    return !(error instanceof ForbiddenError);
  }

  async function check({ platform, sandbox }: World, granted: readonly string[]): Promise<void> {
    const { key } = Object(
      await platform.send("apiKeys.create", {
        body: { name: "scoped", scopes: granted, rate_limit_tier: "enterprise" },
      }),
    );
    const client = clientWith(sandbox, String(key));
    const found = await Promise.all(
      Object.entries(doors).map(async ([door, ask]) => [door, await isLetIn(ask(client))] as const),
    );
    const expected = Object.keys(doors).map((door) => [door, opens(granted, door)]);
    expect(found).toEqual(expected);
    await client.close();
  }

  test("each scope alone opens what it names and what it implies, and nothing else", async () => {
    const world = await openWorld();
    for (const scope of SCOPES) await check(world, [scope]);
  });

  test("any set of scopes opens exactly what its members open", async () => {
    const world = await openWorld();
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.constantFrom(...SCOPES.slice(0, -1)), { minLength: 1 }), (granted) =>
        check(world, granted),
      ),
      { numRuns: 15 },
    );
  });
});

describe("money (contract 2.9, 4.7)", () => {
  /** To the hundredth of a cent and beyond: sums of prices in micro-dollars, compared without their rounding. */
  const micros = (usd: number | undefined) => Math.round(given(usd) * 1_000_000);
  const sum = (amounts: readonly (number | undefined)[]) =>
    amounts.reduce<number>((total, amount) => total + micros(amount), 0);

  const deed = fc.oneof(
    fc.record({ kind: fc.constant("call" as const), talkMs: fc.integer({ min: 0, max: 900_000 }) }),
    fc.record({ kind: fc.constant("busy" as const) }),
    fc.record({ kind: fc.constant("web" as const) }),
    fc.record({ kind: fc.constant("chat" as const), messages: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ kind: fc.constant("generate" as const) }),
  );
  type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

  async function act({ platform, sandbox }: World, one: Deed, agentId: string): Promise<string | undefined> {
    switch (one.kind) {
      case "call":
      case "busy": {
        const to_number = freshPhone();
        const talk_ms = one.kind === "call" ? one.talkMs : 0;
        sandbox.outcomes.force(to_number, [
          one.kind === "busy" ? "busy" : { outcome: "answered", ring_ms: 1, talk_ms },
        ]);
        return (await platform.calls.phone({ agent_id: agentId, from_number: CALLER_ID, to_number })).call_id;
      }
      case "web": {
        const { call_id: id } = await platform.calls.web({ agent_id: agentId });
        // It may be over by itself.
        await platform.calls.end(id).catch((error: unknown) => {
          if (!(error instanceof ConflictError)) throw error;
        });
        return id;
      }
      case "chat": {
        const { session_id: id } = await platform.chat.create({ agent_id: agentId });
        for (let n = 0; n < one.messages; n += 1) await platform.chat.send(id, `question ${n}`);
        return undefined;
      }
      case "generate":
        await platform.workflows.generate({ name: "w", description: "Send an email" });
        return undefined;
    }
  }

  /** Agents of different prices. */
  async function agentsOf({ platform }: World): Promise<string[]> {
    const configurations = [
      {},
      { agent_type: "realtime_agent" as const },
      { analytics_prompt: "Was the caller happy?" },
    ];
    const made = await Promise.all(
      configurations.map((fields) => platform.agents.create({ agent_name: "A", ...fields })),
    );
    for (const { agent_id: id } of made) await platform.agents.publish(id);
    return made.map(({ agent_id: id }) => id);
  }

  async function expectBooksToAgree({ platform }: World, callIds: readonly string[]): Promise<void> {
    const { billing } = platform;
    const balance = await billing.balance();
    const entries = await all(billing.iterateTransactions({ limit: 17 }));
    const events = await all(billing.iterateUsage({ limit: 13 }));
    const summary = await billing.usageSummary();
    const daily = await billing.usageDaily();
    expect(micros(balance.current_balance)).toBe(
      micros(balance.total_credits_added) - micros(balance.total_credits_used),
    );
    expect(micros(balance.current_balance)).toBe(sum(entries.map((entry) => entry.amount_usd)));
    expect(micros(balance.total_credits_used)).toBe(sum(events.map((event) => event.price_usd)));
    expect(micros(summary.total_price_usd)).toBe(micros(balance.total_credits_used));
    expect(summary.total_events).toBe(events.length);
    expect(sum(daily.map((day) => day.total_price_usd))).toBe(micros(summary.total_price_usd));
    expect(sum(daily.map((day) => day.event_count))).toBe(micros(events.length));
    const breakdown = Object.values(Object(Reflect.get(summary, "breakdown")));
    expect(sum(breakdown.map((part) => Number(Reflect.get(Object(part), "total_price_usd"))))).toBe(
      micros(summary.total_price_usd),
    );
    let running = 0;
    for (const entry of entries) {
      expect(micros(entry.balance_before)).toBe(running);
      running += micros(entry.amount_usd);
      expect(micros(entry.balance_after)).toBe(running);
    }
    for (const callId of callIds) {
      const own = events.filter((event) => event.reference_id === callId);
      const usage = await billing.callUsage(callId);
      expect(micros(usage.total_price_usd)).toBe(sum(own.map((event) => event.price_usd)));
      const paid = entries.filter((entry) => entry.reference_id === callId);
      expect(sum(paid.map((entry) => -given(entry.amount_usd)))).toBe(micros(usage.total_price_usd));
    }
  }

  test("adds up whatever was done: balance, ledger, events, days, summary and each call", async () => {
    const world = await openWorld({ sandbox: { speed: 100_000 } });
    const agents = await agentsOf(world);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(deed, fc.constantFrom(...agents)), { maxLength: 6 }),
        async (deeds) => {
          const callIds: string[] = [];
          for (const [one, agentId] of deeds) {
            const callId = await act(world, one, agentId);
            if (callId !== undefined) callIds.push(callId);
          }
          await eventually(() => expect(world.sandbox.stats().activeCalls).toBe(0));
          await expectBooksToAgree(world, callIds);
        },
      ),
      { numRuns: 10 },
    );
  });
});
