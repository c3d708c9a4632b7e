import { describe, expect, it } from "vitest";

import {
  countsDials,
  phaseOfBatch,
  showsBegun,
  showsPickedUp,
  type PlatformBatchFacts,
} from "../../../src/domain/campaigns/platform-batch.ts";

const PHASES = {
  not_begun: ["pending", "draft", "created", "scheduled"],
  // A queued batch dials as soon as it is picked up; one that is pausing or cancelling may still be dialing.
  dialing: [
    "queued",
    "starting",
    "started",
    "running",
    "active",
    "in_progress",
    "In Progress",
    "processing",
    "resuming",
    "pausing",
    "cancelling",
    "canceling",
  ],
  paused: ["paused", "PAUSED"],
  terminal: [
    "completed",
    "complete",
    "cancelled",
    "canceled",
    "Canceled",
    "stopped",
    "failed",
    "error",
    "finished",
    "ended",
    "done",
  ],
  unrecognised: ["", " ", "archived", "complete?", "constructor", "__proto__", "pause", "run"],
} as const;

const facts = (changes: Partial<PlatformBatchFacts>): PlatformBatchFacts => ({
  status: "pending",
  active: undefined,
  processed: undefined,
  startedAt: undefined,
  ...changes,
});

describe("what the platform's word for a batch means", () => {
  it.each(Object.entries(PHASES).flatMap(([phase, words]) => words.map((word) => [word, phase] as const)))(
    "%j is %s",
    (status, phase) => {
      expect(phaseOfBatch({ status })).toBe(phase);
    },
  );

  it("no word is not recognised: it is neither over nor not begun", () => {
    expect(phaseOfBatch({ status: undefined })).toBe("unrecognised");
  });
});

describe("whether a start is seen to have taken effect", () => {
  it.each([
    ["by the word of a batch that dials, or that did", { status: "running" }],
    ["by a batch that was paused", { status: "paused" }],
    ["by a batch that is over", { status: "completed" }],
    ["by a queued one: it will be picked up", { status: "queued" }],
    ["by a call that is up", { active: 1 }],
    ["by an item that was processed", { processed: 1 }],
    ["by a time of its start", { startedAt: "2026-06-03T12:00:00Z" }],
    ["by what it counts, though its word is unknown", { status: "archived", processed: 3 }],
  ])("yes, %s", (_how, changes) => {
    expect(showsBegun(facts(changes))).toBe(true);
  });

  it.each([
    ["nothing is said of it", {}],
    ["it counts nothing", { active: 0, processed: 0 }],
    ["its word is unknown and it counts nothing", { status: "archived", active: 0 }],
    ["there is no word", { status: undefined }],
  ])("no, where %s", (_why, changes) => {
    expect(showsBegun(facts(changes))).toBe(false);
  });
});

describe("whether a batch that was accepted is seen to be taken up", () => {
  it.each([
    ["a word of dialing", { status: "running" }, true],
    ["a pause", { status: "paused" }, true],
    ["its end", { status: "completed" }, true],
    ["queued", { status: "queued" }, false],
    ["Queued, and nothing counted", { status: "Queued", active: 0, processed: 0 }, false],
    ["queued, and a call", { status: "queued", active: 1 }, true],
    ["queued, and a call that is over", { status: "queued", processed: 2 }, true],
    ["queued, and a time of its start", { status: "queued", startedAt: "2026-06-03T12:00:00Z" }, true],
    ["pending", { status: "pending" }, false],
    ["a word that nobody knows", { status: "in the works" }, false],
  ])("%s", (_shown, changes, isPickedUp) => {
    expect(showsPickedUp(facts(changes))).toBe(isPickedUp);
  });

  it("counts are of calls that are up or over, and nothing counted is none", () => {
    expect(countsDials({ active: undefined, processed: undefined })).toBe(false);
    expect(countsDials({ active: 0, processed: 0 })).toBe(false);
    expect(countsDials({ active: 1, processed: 0 })).toBe(true);
    expect(countsDials({ active: undefined, processed: 1 })).toBe(true);
  });
});
