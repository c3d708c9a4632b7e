import { describe, expect, it } from "vitest";

import { CallMemory } from "../../../../src/domain/campaigns/rehearsal/call-memory.ts";
import { PeopleGatherer, type People } from "../../../../src/domain/campaigns/rehearsal/people.ts";
import type { DialingPolicy, FrequencyCap } from "../../../../src/domain/policy/dialing-policy.ts";
import { people, planOf, US_NUMBER } from "./support.ts";

const NOW_MS = 1_000_000_000;
const DAY_MS = 86_400_000;
const ABOUT = { dueAtMs: 7, nowMs: NOW_MS };

const cap = (changes: Partial<FrequencyCap>): FrequencyCap => ({
  counts: "attempts",
  atMost: 2,
  withinMs: 1_000,
  across: "brand",
  thenEnd: false,
  ...changes,
});

function memoryOf(changes: Partial<DialingPolicy> = {}, whom: People = people([["Europe/Rome"]], 2)) {
  const { policy } = planOf(whom);
  return new CallMemory(whom, { ...policy, maxAttempts: 3, frequency: [], ...changes });
}

const call = (disposition: "no_answer" | "busy" | "answered", endedMs: number) => ({
  disposition,
  beganMs: endedMs - 10,
  endedMs,
});

describe("what is known of the calls of a run", () => {
  it("is nothing of somebody who was not called, besides who they are", () => {
    const memory = memoryOf();
    expect(memory.callsOf(1)).toBe(0);
    expect(memory.cameTo(1, "answered")).toBe(0);
    expect(memory.calledMs(1)).toEqual([]);
    expect(memory.factsOf(1, ABOUT)).toEqual({
      number: US_NUMBER,
      zones: ["Europe/Rome"],
      places: [],
      suppression: undefined,
      consents: [],
      attempts: 0,
      attemptsByDisposition: {},
      lastDisposition: undefined,
      openElsewhere: false,
      dueAtMs: 7,
      calledBackAtMs: undefined,
      calledAtMs: undefined,
      lastCallAtMs: undefined,
      ownLastCallAtMs: undefined,
      cappedSinceMs: [],
      perhapsCappedSinceMs: [],
      undecidedUntilMs: undefined,
      isSimulated: false,
    });
  });

  it("is of each person by themselves, call by call", () => {
    const memory = memoryOf();
    memory.book(0, call("no_answer", 100));
    memory.book(1, call("answered", 200));
    memory.book(0, call("busy", 300));
    memory.book(0, call("no_answer", 400));
    expect([memory.callsOf(0), memory.callsOf(1)]).toEqual([3, 1]);
    expect([memory.cameTo(0, "no_answer"), memory.cameTo(0, "busy"), memory.cameTo(0, "answered")]).toEqual([
      2, 1, 0,
    ]);
    expect(memory.factsOf(0, ABOUT)).toMatchObject({
      attempts: 3,
      attemptsByDisposition: { no_answer: 2, busy: 1 },
      lastDisposition: "no_answer",
      ownLastCallAtMs: 400,
    });
    expect(memory.factsOf(1, ABOUT)).toMatchObject({
      attempts: 1,
      attemptsByDisposition: { answered: 1 },
      lastDisposition: "answered",
      ownLastCallAtMs: 200,
    });
  });

  it("is when their calls began, where a retry looks ahead, and else not kept", () => {
    const looking = planOf(people([["Europe/Rome"]], 2), {
      retry: { max_attempts: 3, delays: { no_answer: "next_window" } },
    });
    const memory = new CallMemory(looking.people, looking.policy);
    memory.book(1, call("no_answer", 500));
    memory.book(1, call("no_answer", 600));
    expect(memory.calledMs(1)).toEqual([490, 590]);
    expect(memory.calledMs(0)).toEqual([]);
    const plain = memoryOf();
    plain.book(0, call("busy", 500));
    expect(plain.calledMs(0)).toEqual([]);
  });

  it("is of calls before the rehearsal that they were a day apart and came to what the last did, no more than may be made", () => {
    const memory = memoryOf();
    memory.bookEarlier(0, { calls: 2, cameTo: "busy", beforeMs: NOW_MS });
    memory.bookEarlier(1, { calls: 9, cameTo: undefined, beforeMs: NOW_MS });
    expect(memory.factsOf(0, ABOUT)).toMatchObject({
      attempts: 2,
      attemptsByDisposition: { busy: 2 },
      ownLastCallAtMs: NOW_MS - DAY_MS,
    });
    expect(memory.factsOf(1, ABOUT)).toMatchObject({
      attempts: 3,
      attemptsByDisposition: { no_answer: 3 },
      ownLastCallAtMs: NOW_MS - DAY_MS,
    });
    // The one before the last ended two days before.
    const capped = memoryOf({ frequency: [cap({ atMost: 2, withinMs: 2 * DAY_MS + 1 })] });
    capped.bookEarlier(0, { calls: 2, cameTo: "busy", beforeMs: NOW_MS });
    expect(capped.factsOf(0, ABOUT).cappedSinceMs).toEqual([NOW_MS - 2 * DAY_MS]);
  });

  it("is since when somebody is at a cap: the end of the oldest of as many calls as it allows", () => {
    const memory = memoryOf({ frequency: [cap({ atMost: 2 }), cap({ atMost: 3 }), cap({ atMost: 1 })] });
    memory.book(0, call("no_answer", NOW_MS - 999));
    expect(memory.factsOf(0, ABOUT).cappedSinceMs).toEqual([undefined, undefined, NOW_MS - 999]);
    memory.book(0, call("busy", NOW_MS - 500));
    expect(memory.factsOf(0, ABOUT).cappedSinceMs).toEqual([NOW_MS - 999, undefined, NOW_MS - 500]);
    memory.book(0, call("busy", NOW_MS - 100));
    expect(memory.factsOf(0, ABOUT).cappedSinceMs).toEqual([NOW_MS - 500, NOW_MS - 999, NOW_MS - 100]);
    expect(memory.factsOf(0, ABOUT).perhapsCappedSinceMs).toEqual([undefined, undefined, undefined]);
    // A call that ended as long ago as the cap reaches counts no more.
    expect(memory.factsOf(0, { dueAtMs: 7, nowMs: NOW_MS + 1 }).cappedSinceMs[1]).toBeUndefined();
  });

  it("counts conversations alone where the cap is of them", () => {
    const memory = memoryOf({ frequency: [cap({ counts: "conversations", atMost: 1 })] });
    memory.book(0, call("answered", NOW_MS - 900));
    memory.book(0, call("no_answer", NOW_MS - 100));
    expect(memory.factsOf(0, ABOUT).cappedSinceMs).toEqual([NOW_MS - 900]);
    memory.book(1, call("no_answer", NOW_MS - 900));
    expect(memory.factsOf(1, ABOUT).cappedSinceMs).toEqual([undefined]);
  });

  it("is what the list says: whom not to call, and what was said of consent", () => {
    const gatherer = new PeopleGatherer();
    const [plain, listed, asked] = [0, 1, 2].map((n) =>
      gatherer.add({
        zones: [`Etc/GMT+${n}`],
        places: [`p${n}`],
        kind: { country: "IT", costly: undefined },
      }),
    );
    gatherer.suppress(listed ?? 0);
    const record = { kind: "given" } as never;
    gatherer.consented(asked ?? 0, record);
    const memory = memoryOf({}, gatherer.people());
    expect(memory.factsOf(plain ?? 0, ABOUT)).toMatchObject({ suppression: undefined, consents: [] });
    expect(memory.factsOf(listed ?? 0, ABOUT).suppression).toEqual({
      scope: "brand",
      source: "list",
      reason: "on the list of whom not to call",
    });
    expect(memory.factsOf(asked ?? 0, ABOUT)).toMatchObject({
      consents: [record],
      zones: ["Etc/GMT+2"],
      places: ["p2"],
      number: { country: "IT" },
    });
  });
});
