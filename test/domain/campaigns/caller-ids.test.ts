import { describe, expect, it } from "vitest";

import {
  allowanceOf,
  assignCallerIds,
  collapseOf,
  firstRoomMs,
  hasMemory,
  noRoomText,
  type CallerIdFacts,
  type CallerIdPolicy,
} from "../../../src/domain/campaigns/caller-ids.ts";
import { callerIdPolicyOf, callerIdsSchema } from "../../../src/domain/campaigns/caller-ids-spec.ts";
import { readCampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import { given } from "../../support/ledgers.ts";
import { seededRandom } from "../../support/random.ts";

const NOW_MS = Date.UTC(2026, 5, 1, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 86_400_000;

/** New York, Chicago, Toronto, Berlin. */
const NUMBERS = ["+12125550100", "+13125550101", "+14165550102", "+4930901820"];

const policyOf = (spec: Record<string, unknown>, numbers: readonly string[] = NUMBERS): CallerIdPolicy =>
  given(callerIdPolicyOf({ from_numbers: numbers, caller_ids: callerIdsSchema.parse(spec) }));

const ENDLESS = NUMBERS.map(() => Number.POSITIVE_INFINITY);

const us = (phone: string) => ({ phone, country: "US" });

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => us(`+1${6_462_000_000 + index * 7_919}`));

describe("somebody is called", () => {
  it.each([
    ["from their area code", us("+12126660199"), "+12125550100"],
    ["from their area code, wherever its number stands in the list", us("+13126660199"), "+13125550101"],
    ["from their country where no number is of their area", us("+14156660199"), "+12125550100"],
    [
      "from their country's number across the border",
      { phone: "+16476660199", country: "CA" },
      "+14165550102",
    ],
    ["from the city that their number is of", { phone: "+493090555555", country: "DE" }, "+4930901820"],
    [
      "from any number where none is of their country",
      { phone: "+447911123456", country: "GB" },
      "+12125550100",
    ],
    [
      "from any number where nobody knows their country",
      { phone: "+80012345678", country: undefined },
      "+12125550100",
    ],
  ])("%s", (_where, called, from) => {
    expect(assignCallerIds(policyOf({ match: "area" }), ENDLESS, [called], 0)).toEqual([from]);
  });

  const german = (phone: string) => ({ phone, country: "DE" });

  it.each([
    [
      "from no number whose area code only begins like theirs",
      ["+13125550101", "+12125550100"],
      us("+12136660199"),
      "+13125550101",
    ],
    [
      "from any of the numbers of their area code, however those go on",
      ["+12125550100", "+12126660100"],
      us("+12126660199"),
      "+12125550100",
    ],
    [
      "from a number that shares two digits behind the country's code",
      ["+4989555550", "+4930901820"],
      german("+4930555555"),
      "+4930901820",
    ],
    [
      "from no number for the sake of one digit",
      ["+4989555550", "+4940123456"],
      german("+4942112345"),
      "+4989555550",
    ],
    [
      "from the number of their city that has the most digits in common with theirs",
      ["+4930111111", "+4930901820"],
      german("+4930909999"),
      "+4930901820",
    ],
    [
      "from any number where nobody knows their country, nor that of one of ours",
      ["+12125550100", "+80012345678"],
      { phone: "+80098765432", country: undefined },
      "+12125550100",
    ],
    [
      "from a number of their country beside one of which nobody knows where it is",
      ["+999123456", "+12125550100"],
      us("+14156660199"),
      "+12125550100",
    ],
  ])("%s", (_where, numbers, called, from) => {
    expect(assignCallerIds(policyOf({ match: "area" }, numbers), [9, 9], [called], 0)).toEqual([from]);
  });

  it("from a number near them, whoever was called before them", () => {
    const germans = [german("+4930555555"), german("+4934166666"), german("+4930555556")];
    expect(
      assignCallerIds(policyOf({ match: "area" }, ["+4930901820", "+4934155555"]), [9, 9], germans, 0),
    ).toEqual(["+4930901820", "+4934155555", "+4930901820"]);
    const abroad = [us("+14156660199"), german("+4930555555"), us("+14156660199")];
    expect(assignCallerIds(policyOf({ match: "country" }), ENDLESS, abroad, 0)).toEqual([
      "+12125550100",
      "+4930901820",
      "+12125550100",
    ]);
    // The Cocos Islands and Australia share digits up to the last four.
    const islands = [
      { phone: "+61851002123", country: "CC" },
      { phone: "+61851000123", country: "AU" },
    ];
    const numbers = ["+61851002999", "+61255501234"];
    expect(assignCallerIds(policyOf({ match: "area" }, numbers), [9, 9], islands, 0)).toEqual(numbers);
  });

  it("from a number near them by all of its digits that tell, whoever of the same beginning was called before", () => {
    // Ours are of one house each, of one block, of one short island, and begin alike with nothing.
    for (const [country, ours] of [
      ["DE", ["+4930901820", "+4930909900", "+493090990012", "+49891234567"]],
      ["IS", ["+3545551234", "+3545559876"]],
      ["SH", ["+29022158", "+29023158"]],
      ["FR", ["+33155501234"]],
    ] as const) {
      const random = seededRandom(`near ${country}`);
      const policy = policyOf({ match: "area", sticky: true }, ours);
      const left = ours.map(() => Number.POSITIVE_INFINITY);
      const called = Array.from({ length: 300 }, () => {
        const one = given(ours[Math.floor(random() * ours.length)]);
        const kept = 3 + Math.floor(random() * (one.length - 3));
        const rest = String(Math.floor(random() * 1e9)).padStart(9, "0");
        return { phone: `${one.slice(0, kept)}${rest}`.slice(0, one.length), country };
      });
      const alone = called.map((one) => assignCallerIds(policy, left, [one], 0)[0]);
      expect(assignCallerIds(policy, left, called, 0), country).toEqual(alone);
      expect(new Set(alone), country).toEqual(new Set(ours));
    }
  });

  it.each([
    ["of their country where that of their area has no call left", [0, 5, 5, 5], "+13125550101"],
    ["of another country where none of theirs has", [0, 0, 5, 0], "+14165550102"],
    ["that is the only one with a call left", [0, 0, 0, 1], "+4930901820"],
    ["of nobody's where none has", [0, 0, 0, 0], undefined],
  ])("from the number %s", (_which, left, from) => {
    for (const sticky of [false, true]) {
      const policy = policyOf({ match: "area", sticky });
      expect(assignCallerIds(policy, left, [us("+12126660199")], 0), `sticky: ${sticky}`).toEqual([from]);
    }
  });

  it("from a number of their country alone, where no area is asked for", () => {
    const froms = assignCallerIds(policyOf({ match: "country" }), ENDLESS, people(250), 0);
    expect(new Set(froms)).toEqual(new Set(NUMBERS.slice(0, 2)));
  });

  it("from the same number each time, whoever is called beside them and whosever turn it is", () => {
    const policy = policyOf({ sticky: true });
    const all = people(200);
    const froms = assignCallerIds(policy, ENDLESS, all, 0);
    for (const [index, one] of all.entries())
      expect(assignCallerIds(policy, ENDLESS, [one], index)).toEqual([froms[index]]);
    for (const number of NUMBERS)
      expect(froms.filter((from) => from === number).length, number).toBeGreaterThan(25);
  });

  it("from another number where theirs has no call left, and from nobody's where none has", () => {
    const policy = policyOf({ sticky: true });
    const froms = assignCallerIds(policy, [3, 0, 2, 1], people(10), 0);
    expect(froms.filter((from) => from === undefined)).toHaveLength(4);
    for (const [index, left] of [3, 0, 2, 1].entries())
      expect(froms.filter((from) => from === NUMBERS[index])).toHaveLength(left);
  });

  it("from whichever number still has calls, though each would have another one", () => {
    for (const [index, number] of NUMBERS.entries()) {
      const left = NUMBERS.map((_number, at) => (at === index ? 20 : 0));
      const froms = assignCallerIds(policyOf({ sticky: true }), left, people(20), 0);
      expect(new Set(froms)).toEqual(new Set([number]));
    }
  });

  it("in turns as long as the numbers have calls left, and then from none", () => {
    const [a, , c, d] = NUMBERS;
    const froms = assignCallerIds(policyOf({}), [3, 0, 2, 1], people(8), 0);
    expect(froms).toEqual([a, a, a, c, c, d, undefined, undefined]);
  });

  it("from the only number with calls left, by more than a hundred in a row", () => {
    const froms = assignCallerIds(policyOf({}), [0, 250, 0, 0], people(251), 0);
    expect(froms.slice(0, 250).every((from) => from === NUMBERS[1])).toBe(true);
    expect(froms[250]).toBeUndefined();
  });

  it("in the turns of those of the numbers' country where they are of none of it", () => {
    const britons = Array.from({ length: 50 }, (_, index) => ({
      phone: `+44791112${3_000 + index}`,
      country: "GB",
    }));
    const policy = policyOf({ match: "country" }, NUMBERS.slice(0, 2));
    const froms = assignCallerIds(policy, [999, 999], [...people(100), ...britons], 0);
    expect(froms.slice(0, 100).every((from) => from === NUMBERS[0])).toBe(true);
    expect(froms.slice(100).every((from) => from === NUMBERS[1])).toBe(true);
  });

  it("by a hundred from one number after the other, in turns, so that they share batches", () => {
    const policy = policyOf({});
    const froms = assignCallerIds(policy, ENDLESS, people(250), 1);
    expect(froms.slice(0, 100).every((from) => from === NUMBERS[1])).toBe(true);
    expect(froms.slice(100, 200).every((from) => from === NUMBERS[2])).toBe(true);
    expect(froms.slice(200).every((from) => from === NUMBERS[3])).toBe(true);
  });

  it("from the numbers of one country in turns, whichever areas the contacts are of", () => {
    const places = ["212", "415", "512", "702"].flatMap((area) =>
      Array.from({ length: 50 }, (_, index) => us(`+1${area}666${1_000 + index}`)),
    );
    const froms = assignCallerIds(policyOf({ match: "country" }), ENDLESS, places, 0);
    expect(froms.filter((from) => from === NUMBERS[0])).toHaveLength(100);
    expect(froms.filter((from) => from === NUMBERS[1])).toHaveLength(100);
  });
});

const facts = (changes: Partial<CallerIdFacts> = {}): CallerIdFacts => ({
  number: "+12125550100",
  lastHour: 0,
  lastDay: 0,
  coming: 0,
  firstUsedAtMs: undefined,
  restsUntilMs: undefined,
  ...changes,
});

describe("a number may begin", () => {
  it.each([
    ["as many as it likes where nothing is said", {}, facts(), Number.POSITIVE_INFINITY],
    ["what its hour has left", { per_hour: 40, per_day: 200 }, facts({ lastHour: 30, lastDay: 30 }), 10],
    ["what its day has left", { per_hour: 40, per_day: 200 }, facts({ lastHour: 0, lastDay: 195 }), 5],
    ["nothing beyond its day", { per_day: 200 }, facts({ lastDay: 250 }), 0],
    ["nothing while it rests", {}, facts({ restsUntilMs: NOW_MS + 1 }), 0],
    ["all once it has rested", {}, facts({ restsUntilMs: NOW_MS }), Number.POSITIVE_INFINITY],
    ["a tenth when it is new", { per_day: 200, warm_up: "10d" }, facts(), 20],
    [
      "more with each day of its warm-up",
      { per_day: 200, warm_up: "10d" },
      facts({ firstUsedAtMs: NOW_MS - 5 * DAY_MS }),
      110,
    ],
    [
      "all after its warm-up",
      { per_day: 200, warm_up: "10d" },
      facts({ firstUsedAtMs: NOW_MS - 30 * DAY_MS }),
      200,
    ],
    [
      "a tenth where a clock says that it was first used tomorrow",
      { per_day: 200, warm_up: "10d" },
      facts({ firstUsedAtMs: NOW_MS + DAY_MS }),
      20,
    ],
  ])("%s", (_what, spec, known, calls) => {
    expect(allowanceOf(known, policyOf(spec), NOW_MS)).toBe(calls);
  });
});

describe("a number that may not call may call again", () => {
  const HOURS_AGO = [22, 5, 0.5].map((hours) => ({ atMs: NOW_MS - hours * HOUR_MS, calls: 2 }));

  it.each([
    ["when its rest is over", { per_hour: 9 }, facts({ restsUntilMs: NOW_MS + 5 * HOUR_MS }), 300],
    ["when calls leave the hour", { per_hour: 2 }, facts(), 30],
    ["when calls leave the day", { per_day: 6 }, facts(), 120],
    ["when enough of them have", { per_day: 4 }, facts(), 19 * 60],
    ["when both have let go", { per_hour: 1, per_day: 6 }, facts(), 120],
    ["not before its rest is over", { per_hour: 2 }, facts({ restsUntilMs: NOW_MS + HOUR_MS }), 60],
    [
      "when it has warmed up for one more",
      { per_day: 10, warm_up: "10d" },
      facts({ firstUsedAtMs: NOW_MS - 6 * DAY_MS - 78 * MINUTE_MS }),
      85,
    ],
    [
      "who knows when, where calls to come take all that it has",
      { per_hour: 2 },
      facts({ coming: 2 }),
      Infinity,
    ],
  ])("%s", (_what, spec, known, minutes) => {
    const policy = policyOf(spec);
    expect((firstRoomMs(known, HOURS_AGO, { policy, nowMs: NOW_MS }) - NOW_MS) / MINUTE_MS).toBe(minutes);
  });

  /** Calls by how many minutes ago they began. */
  type Begun = Record<number, number>;

  const firstRoomMinutes = (
    spec: Record<string, unknown>,
    { known = facts(), begun, until = Infinity }: { known?: CallerIdFacts; begun: Begun; until?: number },
  ) => {
    const calls = Object.entries(begun).map(([minutes, count]) => ({
      atMs: NOW_MS - Number(minutes) * MINUTE_MS,
      calls: count,
    }));
    const about = { policy: policyOf(spec), nowMs: NOW_MS, untilMs: NOW_MS + until * MINUTE_MS };
    return (firstRoomMs(known, calls, about) - NOW_MS) / MINUTE_MS;
  };

  const RESTED = facts({ restsUntilMs: NOW_MS });
  const RESTED_IN_30 = facts({ restsUntilMs: NOW_MS + 30 * MINUTE_MS });
  // 1 + 0.9 calls a day are seven from 8,800 minutes on, which are over in 1,433.
  const WARMING = facts({ firstUsedAtMs: NOW_MS - 7_367 * MINUTE_MS });
  const WARM_UP = { per_day: 10, warm_up: "10d" };

  it.each<[string, Record<string, unknown>, CallerIdFacts, Begun, number]>([
    ["when the younger leave the hour, if they fill it", { per_hour: 2 }, facts(), { 50: 2, 20: 2 }, 40],
    ["when the older do, if the younger don't fill it", { per_hour: 3 }, facts(), { 50: 1, 20: 2 }, 10],
    ["whatever began an hour ago to the millisecond", { per_hour: 2 }, facts(), { 60: 2, 30: 2 }, 30],
    ["whatever began a day ago to the millisecond", { per_day: 4 }, facts(), { 1440: 4, 60: 4 }, 1380],
    ["an hour after calls that began just now", { per_hour: 1 }, facts(), { 0: 1 }, 60],
    ["a day after them, if they fill it", { per_hour: 9, per_day: 1 }, facts(), { 0: 1 }, 1440],
    ["when its calls leave the hour as its rest ends", { per_hour: 2 }, RESTED_IN_30, { 30: 2 }, 30],
    ["when they leave it after its rest", { per_hour: 2 }, RESTED_IN_30, { 10: 2 }, 50],
    ["when they leave it, if its rest ends now", { per_hour: 2 }, RESTED, { 30: 2 }, 30],
    ["with calls to come counted in", { per_hour: 3 }, facts({ coming: 1 }), { 50: 1, 20: 2 }, 40],
    ["where calls to come leave it one", { per_hour: 3 }, facts({ coming: 2 }), { 50: 1, 20: 2 }, 40],
    ["nobody knows when if they leave it none", { per_hour: 3 }, facts({ coming: 3 }), { 20: 2 }, Infinity],
    ["when calls leave the tenth with which it begins", WARM_UP, facts(), { 600: 1 }, 840],
    ["within a day when it has warmed up for one more", WARM_UP, WARMING, { 0: 6 }, 1435],
  ])("%s", (_what, spec, known, begun, minutes) => {
    expect(firstRoomMinutes(spec, { known, begun })).toBe(minutes);
  });

  it("when the right one of many calls leaves the day", () => {
    // A call an hour, for twenty hours.
    const begun = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [(index + 1) * 60, 1]));
    for (let most = 1; most <= 20; most += 1)
      expect(firstRoomMinutes({ per_day: most }, { begun }), `${most} a day`).toBe((24 - most) * 60);
  });

  it.each([
    [29, Infinity],
    [30, Infinity],
    [31, 30],
    [40, 30],
  ])("if that is before the moment from which on it does not matter: in %i minutes", (until, minutes) => {
    expect(firstRoomMinutes({ per_hour: 2 }, { begun: { 30: 2 }, until })).toBe(minutes);
  });

  it("at that moment, and not a millisecond before", () => {
    const policy = policyOf({ per_hour: 2, per_day: 7 });
    const atMs = firstRoomMs(facts(), HOURS_AGO, { policy, nowMs: NOW_MS });
    const since = (ms: number) => HOURS_AGO.filter((one) => one.atMs > ms).length * 2;
    const at = (ms: number) =>
      allowanceOf(facts({ lastHour: since(ms - HOUR_MS), lastDay: since(ms - DAY_MS) }), policy, ms);
    expect([at(atMs - 1), at(atMs)]).toEqual([0, 1]);
  });
});

describe("what numbers did before matters", () => {
  it.each([
    ["not to who is called from which", { sticky: true, match: "area" }, false],
    ["to calls an hour", { per_hour: 40 }, true],
    ["to calls a day", { per_day: 200 }, true],
    ["to rests", { health: { answered: 0.05 } }, true],
    ["to all of them", { per_hour: 40, per_day: 200, health: { answered: 0.05 } }, true],
  ])("or not: %s", (_what, spec, matters) => {
    expect(hasMemory(policyOf(spec))).toBe(matters);
  });
});

describe("a number rests", () => {
  const health = given(policyOf({ health: { answered: 0.1, newest: 20, at_least: 10 } }).health);

  it.each([
    ["not before there are enough calls", "nnnnnnnnn", undefined],
    ["where too few are answered", "nnnnnnnnnn", "0 of its last 10 calls were answered"],
    ["not where enough are", "nnnnannnnn", undefined],
    [
      "by its newest calls alone",
      `${"a".repeat(20)}${"n".repeat(19)}a`,
      "1 of its last 20 calls were answered",
    ],
  ])("or not: %s", (_what, newest, detail) => {
    expect(collapseOf(newest, health)).toBe(detail);
  });
});

describe("a spec's caller IDs", () => {
  const HEALTH = { answered: 0.1, newest: 20, at_least: 20, rest: "2h" };

  it("are a policy of what they say, which may ask for all of the newest calls", () => {
    const said = {
      numbers: NUMBERS,
      sticky: false,
      match: "none",
      perHour: 40,
      perDay: undefined,
      warmUpMs: 0,
      health: undefined,
    };
    expect(policyOf({ per_hour: 40 })).toEqual(said);
    expect(policyOf({ per_hour: 40, health: HEALTH })).toEqual({
      ...said,
      health: { newest: 20, atLeast: 20, answered: 0.1, restMs: 2 * HOUR_MS },
    });
  });

  it("are no policy where nothing is said of them", () => {
    expect(callerIdPolicyOf({ from_numbers: NUMBERS })).toBeUndefined();
  });

  it.each([
    [{ caller_ids: { warm_up: "14d" } }, /^caller_ids\.warm_up: needs `per_day`/],
    [{ caller_ids: { per_hour: 0 } }, /^caller_ids\.per_hour: /],
    [{ caller_ids: { health: { answered: 5 } } }, /^caller_ids\.health\.answered: /],
    [
      { caller_ids: { health: { answered: 0.1, newest: 20 } } },
      /^caller_ids\.health\.at_least: must not be more/,
    ],
    [{ caller_ids: { match: "areas" } }, /^caller_ids\.match: /],
  ])("is refused where it can't be meant: %j", (changes, problem) => {
    const reading = readCampaignSpec({
      name: "x",
      agent_id: "a",
      from_numbers: ["+12025550100"],
      concurrency: 1,
      ...changes,
    });
    const problems = reading.ok
      ? []
      : reading.problems.map(({ field, problem: said }) => `${field}: ${said}`);
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });
});

describe("why no number may call", () => {
  const UNTIL_MS = NOW_MS + HOUR_MS;
  const said = (rests: readonly (number | undefined)[]) => {
    const numbers = NUMBERS.slice(0, rests.length);
    const facts = new Map(
      numbers.map((number, index): [string, CallerIdFacts] => [
        number,
        {
          number,
          lastHour: 0,
          lastDay: 0,
          coming: 0,
          firstUsedAtMs: undefined,
          restsUntilMs: rests[index],
        },
      ]),
    );
    return noRoomText(numbers, facts, NOW_MS);
  };

  it.each([
    [[undefined], "+12125550100 has begun the calls that it may in an hour or a day"],
    [[undefined, NOW_MS], "all 2 have begun the calls that they may in an hour or a day"],
    [
      [UNTIL_MS],
      "until 2026-06-01T13:00:00.000Z: +12125550100 rests, since too few of the calls were answered",
    ],
    [
      [UNTIL_MS + MINUTE_MS, UNTIL_MS],
      "until 2026-06-01T13:00:00.000Z: all 2 rest, since too few of the calls were answered",
    ],
    [
      [undefined, UNTIL_MS],
      "1 of 2 rests, since too few of the calls were answered, the first until 2026-06-01T13:00:00.000Z; the other has begun the calls that it may in an hour or a day",
    ],
    [
      [undefined, UNTIL_MS, undefined, UNTIL_MS + 1],
      "2 of 4 rest, since too few of the calls were answered, the first until 2026-06-01T13:00:00.000Z; the others have begun the calls that they may in an hour or a day",
    ],
  ])("is told of numbers that rest until %j", (rests, words) => {
    expect(said(rests)).toBe(words);
  });
});
