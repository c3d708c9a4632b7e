import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { readSequence, type SequenceDefinition } from "../../../src/domain/sequences/definition.ts";
import { enroll } from "../../../src/ledger/sequences/enrolling.ts";
import { commandEnrolment } from "../../../src/ledger/sequences/enrolment-commands.ts";
import { tellEnrolments } from "../../../src/ledger/sequences/enrolment-inbox.ts";
import { readEnrolment, readJourney, type Enrolment } from "../../../src/ledger/sequences/enrolments.ts";
import { placementOf, readPlacement } from "../../../src/ledger/campaigns/placements.ts";
import { putSequenceVersion } from "../../../src/ledger/sequences/sequence-commands.ts";
import { provideTemporalServer } from "../../../src/temporal/server/index.ts";
import { enrolmentWorkflowId } from "../../../src/temporal/workflow-ids.ts";
import { phoneNumbers, startEngine, until, type Engine } from "../../support/engine.ts";
import { openEmbeddedLedger } from "../../../src/ledger/ground/embedded.ts";
import { freshDataDir, given } from "../../support/ledgers.ts";
import { startReceiver } from "../../support/receiver.ts";
import { cacheDir } from "../../support/setup-temporal.ts";
import { textsIn } from "../../support/texts-in.ts";

/** Everybody answers: what is tested is what comes of it. */
const ALL_ANSWER = {
  simulator: {
    unreachableShare: 0,
    weights: { answered: 1, voicemail: 0, no_answer: 0, busy: 0, failed: 0 },
  },
};

/** Histories are told to end after so few events that a hundred wake-ups meet several ends. */
const SUGGEST_AT = 60;

describe("a sequence on a real Temporal server", () => {
  let engine: Engine;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const server = await provideTemporalServer({
      searchPath: process.env["PATH"] ?? "",
      cacheDir: cacheDir(),
      headless: true,
      dynamicConfig: { "limit.historyCount.suggestContinueAsNew": SUGGEST_AT },
      onProgress: () => {},
    });
    const ledger = await openEmbeddedLedger(freshDataDir());
    engine = await startEngine(ledger, { speed: 200, sandbox: ALL_ANSWER, temporalAddress: server.address });
    await engine.startWorkers();
    close = async () => {
      await engine.close();
      await ledger.close();
      await server.stop();
    };
  });
  afterAll(() => close());

  let phones = 0;

  async function begin(name: string, steps: readonly object[], changes: object = {}): Promise<string> {
    const definition = definitionOf(name, steps, changes);
    phones += 1;
    const phone = given(phoneNumbers(1, 700_000 + phones)[0]);
    const nowMs = Date.now();
    const { ledger } = engine;
    await ledger.transaction((tx) => putSequenceVersion(tx, { definition, actor: "test", nowMs }));
    const result = await ledger.transaction((tx) =>
      enroll(tx, {
        sequenceName: name,
        brand: "default",
        phone,
        region: "US",
        zones: ["America/New_York"],
        strictZones: ["America/New_York"],
        variables: { name: "Ann" },
        source: "test",
        requestKey: `test:${name}`,
        nowMs,
      }),
    );
    engine.deps.outbox.kick();
    if (result.kind !== "enrolled") throw new Error(JSON.stringify(result));
    return result.enrolmentId;
  }

  const read = async (id: string): Promise<Enrolment> => given(await readEnrolment(engine.ledger.db, id));

  const over = (id: string) =>
    until(`enrolment ${id} to be over`, async () => {
      const enrolment = await read(id);
      return enrolment.state === "done" ? enrolment : undefined;
    });

  async function wayOf(id: string): Promise<string[]> {
    const journey = await readJourney(engine.ledger.db, id, { after: 0, limit: 1_000 });
    return journey.map(({ step, what }) => `${step ?? ""}: ${what}`);
  }

  /** Events of its history by kind, once its workflow is closed. */
  async function historyOf(id: string): Promise<Map<string, number>> {
    const handle = engine.client.workflow.getHandle(enrolmentWorkflowId(id));
    await handle.result();
    const counts = new Map<string, number>();
    for (const { eventType } of (await handle.fetchHistory()).events ?? []) {
      const kind = String(eventType);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    return counts;
  }

  it("calls, waits, tells another system, and ends; its history is small and holds nobody's data", async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const id = await begin("whole way", [
      { id: "first", call: {}, on: { answered: "rest", unknown: "end", otherwise: "end" } },
      { id: "rest", wait: { for: "1s" } },
      {
        id: "tell",
        webhook: { url: receiver.url, data: { who: "variables.name", came: "last_call.disposition" } },
        on: { done: "end", failed: "end" },
      },
      { id: "end", exit: { outcome: "told" } },
    ]);
    expect((await over(id)).outcome).toBe("told");
    expect(await wayOf(id)).toEqual([
      "first: call",
      "first: call_over",
      "rest: waits",
      "tell: webhook",
      "tell: action_over",
      "end: ended",
    ]);
    expect(receiver.received).toHaveLength(1);
    const counts = await historyOf(id);
    const handle = engine.client.workflow.getHandle(enrolmentWorkflowId(id));
    const history = await handle.fetchHistory();
    const events = [...counts.values()].reduce((sum, n) => sum + n, 0);
    // Start and signal, three workflow tasks, a turn, a try, the turn after it, and the end: docs/costs.md.
    expect(events).toBeLessThanOrEqual(27);
    const texts = textsIn(history);
    expect(texts, "what is handed in is seen").toContain(id);
    expect(texts).not.toMatch(/\+1202|Ann\b|example/);
  });

  it("a hundred events that come while an action is tried, and its history is cut again and again, are all taken in, once and in order", async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    receiver.answer = () => ({ status: 500 });
    const retry = { max_tries: 50, delays: ["2s"] };
    const hold = { id: "hold", webhook: { url: receiver.url, retry }, on: { done: "end", failed: "end" } };
    const id = await begin("storm", [hold, { id: "end", exit: { outcome: "told" } }], {
      goals: [{ when: 'events.exists(e, e.name == "last")', outcome: "won" }],
    });
    await until("its first try", () => receiver.received.length > 0);
    const { phone } = await read(id);
    const handle = engine.client.workflow.getHandle(enrolmentWorkflowId(id));
    const runIds = new Set<string>();
    for (let n = 1; n <= 100; n += 1) {
      const name = n === 100 ? "last" : `tick ${n}`;
      const { told } = await engine.ledger.transaction((tx) =>
        tellEnrolments(tx, {
          brand: "default",
          phone,
          event: { name, data: { n }, requestKey: `event ${n}`, at: Date.now() },
        }),
      );
      expect(told).toBe(1);
      engine.deps.outbox.kick();
      // A wake-up of its own for each: they meet turns, ends of runs and each other.
      void handle.signal("wake").catch(() => {});
      if (n % 10 === 0) runIds.add((await handle.describe()).runId);
    }
    expect((await over(id)).outcome).toBe("won");
    const journey = await readJourney(engine.ledger.db, id, { after: 0, limit: 1_000 });
    const events = journey.filter(({ what }) => what === "event").map(({ detail }) => detail["event"]);
    expect(events).toEqual([...Array.from({ length: 99 }, (_, index) => `tick ${index + 1}`), "last"]);
    runIds.add((await handle.describe()).runId);
    expect(runIds.size).toBeGreaterThan(1);
  });

  it("taken out by a person while an action is tried, its workflow ends, too", async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    receiver.answer = () => ({ status: 500 });
    const retry = { max_tries: 50, delays: ["2s"] };
    const tell = { id: "tell", webhook: { url: receiver.url, retry }, on: { done: "end", failed: "end" } };
    const id = await begin("tried", [tell, { id: "end", exit: { outcome: "told" } }]);
    await until("its first try", () => receiver.received.length > 0);
    const entry = { kind: "exit", data: {}, requestKey: "one", actor: "test", atMs: Date.now() } as const;
    await engine.ledger.transaction((tx) =>
      commandEnrolment(tx, { enrolmentId: id, entry, nowMs: Date.now() }),
    );
    engine.deps.outbox.kick();
    const counts = await historyOf(id);
    const events = [...counts.values()].reduce((sum, n) => sum + n, 0);
    // Start and signal, five workflow tasks, a turn, two tries and a timer between them, another turn, and the end.
    expect(events).toBeLessThanOrEqual(40);
    expect((await read(id)).outcome).toBe("exited");
  });

  it("somebody who is called again is called once for each step that says so", async () => {
    const id = await begin("round", [
      { id: "first", call: {} },
      { id: "second", call: {} },
    ]);
    expect((await over(id)).outcome).toBe("completed");
    for (const n of [1, 2]) {
      const call = await readPlacement(engine.ledger.db, placementOf({ enrolmentId: id, callNo: n }));
      expect(call).toMatchObject({ state: "done", outcome: "answered", attempts: 1 });
    }
    const { phone } = await read(id);
    expect(engine.sandbox.dialLog.of(phone)).toHaveLength(2);
  });
});

function definitionOf(name: string, steps: readonly object[], changes: object): SequenceDefinition {
  const reading = readSequence({
    name,
    agent_id: "11111111-1111-4111-8111-111111111111",
    from_numbers: ["+12025550100"],
    window: "always",
    least_gap: "0s",
    steps,
    ...changes,
  });
  if (reading.ok) return reading.definition;
  throw new Error(JSON.stringify(reading.problems));
}
