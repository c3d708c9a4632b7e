import { describe, expect, it } from "vitest";

import {
  modelOf,
  modelOfPast,
  readOutcomeProfile,
  RunOutcomes,
  USUAL_OUTCOMES,
  type OutcomeModel,
} from "../../../../src/domain/campaigns/rehearsal/outcome-model.ts";
import { Simulator } from "../../../../src/sandbox/simulator.ts";

const CALLS = 40_000;

function drawn(model: OutcomeModel, nth = 1) {
  const outcomes = new RunOutcomes({ ...model, uncertainty: 0 }, 3);
  const counts: Record<string, number> = {};
  let lengthMs = 0;
  let talkMs = 0;
  for (let person = 0; person < CALLS; person += 1) {
    outcomes.draw(person, nth);
    counts[outcomes.disposition] = (counts[outcomes.disposition] ?? 0) + 1 / CALLS;
    lengthMs += (outcomes.ringMs + outcomes.talkMs) / CALLS;
    talkMs += outcomes.talkMs / CALLS;
  }
  return { counts, lengthMs, talkMs };
}

describe("what calls come to where nothing is known", () => {
  it("is what the sandbox plays: the same shares, and calls as long", () => {
    const simulator = new Simulator(3);
    const played: Record<string, number> = {};
    let lengthMs = 0;
    for (let person = 0; person < CALLS; person += 1) {
      const { outcome, ringMs, talkMs } = simulator.plan(`+1202${person}`, 1);
      const word = outcome === "unreachable" ? "invalid_number" : outcome;
      played[word] = (played[word] ?? 0) + 1 / CALLS;
      lengthMs += (ringMs + talkMs) / CALLS;
    }
    const { counts, lengthMs: ours } = drawn(USUAL_OUTCOMES);
    expect(Object.keys(counts).sort()).toEqual(Object.keys(played).sort());
    for (const [word, share] of Object.entries(played))
      expect(Math.abs((counts[word] ?? 0) - share), word).toBeLessThan(0.01);
    expect(Math.abs(ours / lengthMs - 1)).toBeLessThan(0.02);
  });

  it("never reaches a number that does not exist, however often it is called", () => {
    const outcomes = new RunOutcomes(USUAL_OUTCOMES, 1);
    const invalid = (nth: number) => {
      const found = new Set<number>();
      for (let person = 0; person < 2_000; person += 1) {
        outcomes.draw(person, nth);
        if (outcomes.disposition === "invalid_number") found.add(person);
      }
      return found;
    };
    expect(invalid(2)).toEqual(invalid(1));
    expect(invalid(1).size).toBeGreaterThan(50);
  });
});

describe("a profile of outcomes", () => {
  it("says what it knows, and the rest is as usual", () => {
    const reading = readOutcomeProfile({
      shares: { answered: 1, voicemail: 3 },
      invalid_numbers: 0,
      talk_seconds: { answered: 120, voicemail: [10, 20] },
    });
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    const { counts, talkMs } = drawn(modelOf(reading.definition));
    expect(counts.answered).toBeCloseTo(0.25, 1);
    expect(counts.voicemail).toBeCloseTo(0.75, 1);
    expect(Object.keys(counts)).toHaveLength(2);
    expect(talkMs / 1_000).toBeGreaterThan(0.25 * 120 + 0.75 * 15 - 2);
    expect(talkMs / 1_000).toBeLessThan(0.25 * 120 + 0.75 * 15 + 2);
  });

  it("is refused with every problem of it", () => {
    const reading = readOutcomeProfile({
      shares: { answered: 0, unknown: 3 },
      invalid_numbers: 5,
      ring_seconds: { answered: [9, 3] },
      mood: "good",
    });
    expect(reading.ok).toBe(false);
    const fields = reading.ok ? [] : reading.problems.map(({ field }) => field);
    expect(fields.join()).toMatch(/shares/);
    expect(fields.join()).toMatch(/invalid_numbers/);
    expect(fields.join()).toMatch(/ring_seconds/);
    expect(fields.join()).toMatch(/mood/);
  });
});

describe("outcomes of an earlier campaign", () => {
  it("are its shares, its numbers that do not exist, and the length of its talks", () => {
    const model = modelOfPast({
      dispositions: { answered: 300, no_answer: 600, voicemail: 100, invalid_number: 50, unknown: 2 },
      talkSeconds: 300 * 100 + 100 * 30,
      dialed: 500,
      invalid: 50,
    });
    if (!model) throw new Error("it called people");
    expect(model.invalidNumbers).toBe(0.1);
    const { counts, talkMs } = drawn({ ...model, invalidNumbers: 0 });
    expect(counts.answered).toBeCloseTo(0.3, 1);
    expect(counts.no_answer).toBeCloseTo(0.6, 1);
    // 30 seconds of each hundred calls that are talked to, and 3 of machines.
    expect(talkMs / 1_000).toBeGreaterThan(31);
    expect(talkMs / 1_000).toBeLessThan(35);
  });

  it("say nothing where it called nobody", () => {
    expect(modelOfPast({ dispositions: {}, talkSeconds: 0, dialed: 0, invalid: 0 })).toBeUndefined();
  });
});

describe("what single calls come to", () => {
  const model: OutcomeModel = { ...USUAL_OUTCOMES, invalidNumbers: 0, uncertainty: 0 };
  const lengths = (stretch: OutcomeModel["talkSeconds"]["answered"], uncertainty = 0) => {
    const outcomes = new RunOutcomes(
      {
        ...model,
        shares: { answered: 1 },
        ringSeconds: { ...model.ringSeconds, answered: stretch },
        talkSeconds: { ...model.talkSeconds, answered: stretch },
        uncertainty,
      },
      1,
    );
    return Array.from({ length: 2_000 }, (_, person) => {
      outcomes.draw(person, 1);
      return { ringMs: outcomes.ringMs, talkMs: outcomes.talkMs };
    });
  };

  it("is as long as it is said: always the same, between two, or about a median within bounds", () => {
    expect(new Set(lengths(7).flatMap(Object.values))).toEqual(new Set([7_000]));
    const between = lengths([10, 20]).map(({ talkMs }) => talkMs);
    expect(Math.min(...between)).toBeGreaterThanOrEqual(10_000);
    expect(Math.min(...between)).toBeLessThan(10_100);
    expect(Math.max(...between)).toBeLessThanOrEqual(20_000);
    expect(Math.max(...between)).toBeGreaterThan(19_900);
    const about = lengths({ median: 50, spread: 0.5, least: 30, most: 90 })
      .map(({ talkMs }) => talkMs)
      .sort((a, b) => a - b);
    expect([about[0], about.at(-1)]).toEqual([30_000, 90_000]);
    expect(Math.abs((about[1_000] ?? 0) - 50_000)).toBeLessThan(3_000);
    // Log-normal: as many below the median by half as above it by twice.
    const below = about.filter((ms) => ms < 50_000 / 1.5).length / 2_000;
    const above = about.filter((ms) => ms > 50_000 * 1.5).length / 2_000;
    expect(Math.abs(below - 0.209)).toBeLessThan(0.03);
    expect(Math.abs(above - 0.209)).toBeLessThan(0.03);
  });

  it("is talked for longer or shorter in a whole run by as much as that is uncertain, and rings as it rings", () => {
    const [certain, unsure] = [lengths(100), lengths(100, 0.2)];
    const talks = new Set(unsure.map(({ talkMs }) => talkMs));
    expect(talks.size).toBe(1);
    expect([...talks][0]).not.toBe(100_000);
    expect(unsure.map(({ ringMs }) => ringMs)).toEqual(certain.map(({ ringMs }) => ringMs));
  });

  it("varies from run to run by as much as it is uncertain: shares, numbers that do not exist, and talks", () => {
    const seeds = Array.from({ length: 300 }, (_, seed) => seed);
    const of = (uncertainty: number) =>
      seeds.map((seed) => {
        const outcomes = new RunOutcomes(
          {
            ...model,
            uncertainty,
            invalidNumbers: 0.5,
            shares: { answered: 1, busy: 1 },
            talkSeconds: { ...model.talkSeconds, answered: 100, busy: 100, invalid_number: 100 },
          },
          seed,
        );
        const found = { answered: 0, invalid: 0, talkMs: 0 };
        for (let person = 0; person < 200; person += 1) {
          outcomes.draw(person, 1);
          if (outcomes.disposition === "answered") found.answered += 1 / 100;
          if (outcomes.disposition === "invalid_number") found.invalid += 1 / 100;
          found.talkMs = outcomes.talkMs / 100_000;
        }
        return { ...found, answered: found.answered / (2 - found.invalid) };
      });
    const spread = (values: readonly number[]) => {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) / mean;
    };
    const [sure, unsure] = [of(0), of(0.3)];
    expect(spread(sure.map(({ talkMs }) => talkMs))).toBe(0);
    // Of a log-normal of 0.3: 0.307. Half of one share, of which both vary: 0.21, and luck on top.
    expect(Math.abs(spread(unsure.map(({ talkMs }) => talkMs)) - 0.307)).toBeLessThan(0.05);
    expect(spread(unsure.map(({ answered }) => answered))).toBeGreaterThan(0.18);
    expect(spread(sure.map(({ answered }) => answered))).toBeLessThan(0.15);
    expect(spread(unsure.map(({ invalid }) => invalid))).toBeGreaterThan(0.24);
    expect(spread(sure.map(({ invalid }) => invalid))).toBeLessThan(0.12);
  });

  it("never is what has no share, and always a number that does not exist where all are", () => {
    const words = (changes: Partial<OutcomeModel>) => {
      const outcomes = new RunOutcomes({ ...model, ...changes }, 2);
      return new Set(
        Array.from({ length: 3_000 }, (_, person) => {
          outcomes.draw(person, 1 + (person % 3));
          return outcomes.disposition;
        }),
      );
    };
    expect(words({ shares: { busy: 1 } })).toEqual(new Set(["busy"]));
    expect(words({ shares: { answered: 1, failed: 1 } })).toEqual(new Set(["answered", "failed"]));
    expect(words({ shares: { opted_out: 3, callback_requested: 0 } })).toEqual(new Set(["opted_out"]));
    expect(words({ invalidNumbers: 1 })).toEqual(new Set(["invalid_number"]));
    expect(words({ invalidNumbers: 0.9, uncertainty: 1 }).has("invalid_number")).toBe(true);
  });
});

describe("what a profile leaves open", () => {
  it("is as the one that it stands on has it", () => {
    expect(modelOf({})).toEqual(USUAL_OUTCOMES);
    const base: OutcomeModel = {
      ...USUAL_OUTCOMES,
      invalidNumbers: 0.3,
      uncertainty: 0.7,
      shares: { busy: 1 },
    };
    expect(modelOf({}, base)).toEqual(base);
    expect(
      modelOf({ shares: { failed: 2 }, invalid_numbers: 0, uncertainty: 0, ring_seconds: { busy: 9 } }, base),
    ).toEqual({
      ...base,
      shares: { failed: 2 },
      invalidNumbers: 0,
      uncertainty: 0,
      ringSeconds: { ...base.ringSeconds, busy: 9 },
    });
    expect(modelOf({ talk_seconds: { answered: [1, 2] } }).talkSeconds).toEqual({
      ...USUAL_OUTCOMES.talkSeconds,
      answered: [1, 2],
    });
  });
});

describe("the bounds of a profile", () => {
  const reads = (value: unknown) => readOutcomeProfile(value).ok;

  it.each([
    [{}, true],
    [{ shares: { answered: 1_000_000 } }, true],
    [{ shares: { answered: 1_000_001 } }, false],
    [{ shares: { answered: -1, busy: 2 } }, false],
    [{ shares: { answered: 0, busy: 0.001 } }, true],
    [{ shares: { answered: 0 } }, false],
    [{ shares: {} }, false],
    [{ shares: { invalid_number: 1 } }, false],
    [{ invalid_numbers: 0 }, true],
    [{ invalid_numbers: 1 }, true],
    [{ invalid_numbers: 1.001 }, false],
    [{ invalid_numbers: -0.001 }, false],
    [{ uncertainty: 0 }, true],
    [{ uncertainty: 1 }, true],
    [{ uncertainty: 1.001 }, false],
    [{ uncertainty: -0.001 }, false],
    [{ ring_seconds: { invalid_number: 0 } }, true],
    [{ ring_seconds: { busy: 7_200 } }, true],
    [{ ring_seconds: { busy: 7_201 } }, false],
    [{ ring_seconds: { busy: -1 } }, false],
    [{ ring_seconds: { unknown: 3 } }, false],
    [{ talk_seconds: { answered: [3, 3] } }, true],
    [{ talk_seconds: { answered: [3, 2] } }, false],
    [{ talk_seconds: { answered: [3] } }, false],
    [{ talk_seconds: { answered: { median: 5, spread: 2, least: 4, most: 4 } } }, true],
    [{ talk_seconds: { answered: { median: 5, spread: 2.001, least: 4, most: 4 } } }, false],
    [{ talk_seconds: { answered: { median: 5, spread: -0.001, least: 4, most: 4 } } }, false],
    [{ talk_seconds: { answered: { median: 5, spread: 0, least: 4, most: 3 } } }, false],
    [{ talk_seconds: { answered: { median: 5, spread: 0, least: 4 } } }, false],
  ])("%j: %s", (profile, isRead) => {
    expect(reads(profile)).toBe(isRead);
  });
});

describe("what is learned of an earlier campaign", () => {
  const past = { dispositions: { answered: 10 }, talkSeconds: 1_000, dialed: 10, invalid: 0 };
  const model = (changes: Partial<Parameters<typeof modelOfPast>[0]>) => {
    const found = modelOfPast({ ...past, ...changes });
    if (!found) throw new Error("it called people");
    return found;
  };
  const medianOf = ({ talkSeconds }: OutcomeModel) => (talkSeconds.answered as { median: number }).median;

  it("is every word of it that calls come to, and no other", () => {
    expect(
      model({ dispositions: { answered: 3, opted_out: 2, unknown: 9, invalid_number: 4 } }).shares,
    ).toEqual({
      answered: 3,
      callback_requested: 0,
      opted_out: 2,
      voicemail: 0,
      no_answer: 0,
      busy: 0,
      failed: 0,
    });
    expect(model({}).uncertainty).toBe(0.1);
    expect(model({}).ringSeconds).toEqual(USUAL_OUTCOMES.ringSeconds);
  });

  it("is how long people were talked with: all of them, and without the machines", () => {
    const talked = model({});
    // The usual talk of about a minute, stretched to a hundred seconds in the mean, its bounds with it.
    const { median, spread, least, most } = talked.talkSeconds.answered as never as Record<string, number>;
    const factor = (median ?? 0) / 55;
    expect(spread).toBe(0.6);
    expect(least).toBeCloseTo(20 * factor, 8);
    expect(most).toBeCloseTo(180 * factor, 8);
    const { talkMs } = drawn({ ...talked, invalidNumbers: 0 });
    expect(Math.abs(talkMs / 100_000 - 1)).toBeLessThan(0.03);
    expect(talked.talkSeconds.callback_requested).toEqual(talked.talkSeconds.answered);
    expect(talked.talkSeconds.opted_out).toEqual(talked.talkSeconds.answered);
    expect(talked.talkSeconds.voicemail).toEqual(USUAL_OUTCOMES.talkSeconds.voicemail);
    const others = { answered: 4, callback_requested: 3, opted_out: 3 };
    expect(medianOf(model({ dispositions: others }))).toBeCloseTo(medianOf(talked), 8);
    // Thirty seconds of each machine, in the mean.
    const machines = model({ dispositions: { answered: 10, voicemail: 20 }, talkSeconds: 1_000 + 20 * 30 });
    expect(Math.abs(medianOf(machines) / medianOf(talked) - 1)).toBeLessThan(0.02);
  });

  it("is a second at least, two hours at most, and what is usual where nobody was talked with", () => {
    expect(medianOf(model({ talkSeconds: 0 }))).toBeLessThan(1.1);
    expect(medianOf(model({ talkSeconds: 0 }))).toBeGreaterThan(0.5);
    expect(medianOf(model({ talkSeconds: 1e9 }))).toBe(7_200);
    expect(model({ dispositions: { no_answer: 5 }, talkSeconds: 0 }).talkSeconds).toEqual(
      USUAL_OUTCOMES.talkSeconds,
    );
  });

  it("is the part of the numbers that do not exist", () => {
    expect(model({ invalid: 5, dialed: 20 }).invalidNumbers).toBe(0.25);
    expect(model({ invalid: 0, dialed: 0 }).invalidNumbers).toBe(0);
    expect(model({ invalid: 30, dialed: 20 }).invalidNumbers).toBe(1);
    expect(modelOfPast({ ...past, dispositions: { unknown: 3, invalid_number: 2 } })).toBeUndefined();
  });
});
