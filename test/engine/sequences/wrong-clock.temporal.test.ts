import { afterEach, describe, expect, it } from "vitest";

import { readSequence } from "../../../src/domain/sequences/definition.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { enroll } from "../../../src/ledger/sequences/enrolling.ts";
import { readEnrolment, readJourney } from "../../../src/ledger/sequences/enrolments.ts";
import { putSequenceVersion } from "../../../src/ledger/sequences/sequence-commands.ts";
import { phoneNumbers, startEngine, until, type Engine } from "../../support/engine.ts";
import { given, withLedger } from "../../support/ledgers.ts";

const HOUR_MS = 3_600_000;

describe("a process whose clock is two hours ahead", () => {
  withLedger((ledger) => {
    let engine: Engine;
    afterEach(() => engine.close());

    it("takes nobody's steps, says so, and takes them when they are due once it is right", async () => {
      let aheadMs = 2 * HOUR_MS;
      engine = await startEngine(ledger());
      engine.deps.now = () => Date.now() + aheadMs;
      await engine.startWorkers();
      const read = readSequence({
        name: "an hour later",
        steps: [
          { id: "later", wait: { for: "1h" } },
          { id: "told", set: { told: "true" } },
        ],
      });
      if (!read.ok) throw new Error(JSON.stringify(read.problems));
      // Enrolled by somebody whose clock is right.
      const nowMs = Date.now();
      const definition = read.definition;
      await ledger().transaction((tx) => putSequenceVersion(tx, { definition, actor: "test", nowMs }));
      const enrolled = await ledger().transaction((tx) =>
        enroll(tx, {
          sequenceName: "an hour later",
          brand: "default",
          phone: given(phoneNumbers(1, 760_000)[0]),
          region: "US",
          zones: ["America/New_York"],
          strictZones: ["America/New_York"],
          variables: {},
          source: "test",
          requestKey: "test",
          nowMs,
        }),
      );
      if (enrolled.kind !== "enrolled") throw new Error(JSON.stringify(enrolled));
      const id = enrolled.enrolmentId;
      engine.deps.outbox.kick();
      const wayOf = async () => {
        const journey = await readJourney(ledger().db, id, { after: 0, limit: 100 });
        return journey.map(({ step, what }) => `${step ?? ""}: ${what}`);
      };
      const told = await until("people to be told", async () => {
        const { items } = await listAttention(ledger().db, {
          kind: "step_failing",
          resolved: false,
          limit: 10,
        });
        return items.length > 0 ? items : undefined;
      });
      expect(told.map(({ summary }) => summary)).toEqual([
        expect.stringContaining("7200 s ahead of the ledger's: set the clocks"),
      ]);
      const before = await wayOf();
      expect(before.filter((one) => one.startsWith("later"))).toEqual([]);

      aheadMs = 0;
      await until("the wait to begin", async () => (await wayOf()).some((one) => one.startsWith("later")));
      expect(given(await readEnrolment(ledger().db, id)).state).toBe("active");
      expect((await wayOf()).filter((one) => one.startsWith("told"))).toEqual([]);
      await until("it to be off the list", async () => {
        const { items } = await listAttention(ledger().db, {
          kind: "step_failing",
          resolved: false,
          limit: 10,
        });
        return items.length === 0;
      });

      // It was asleep for the right hour: a clock that is ahead again wakes nobody.
      aheadMs = 2 * HOUR_MS;
      await until("people to be told again", async () => {
        const { items } = await listAttention(ledger().db, {
          kind: "step_failing",
          resolved: false,
          limit: 10,
        });
        return items.length > 0;
      });
      expect((await wayOf()).filter((one) => one.startsWith("told"))).toEqual([]);
      expect(given(await readEnrolment(ledger().db, id)).state).toBe("active");
    });
  });
});
