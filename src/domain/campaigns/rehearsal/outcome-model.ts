import { z } from "zod";

import type { Disposition } from "../../policy/disposition.ts";
import { readBySchema, type DefinitionReading } from "../../ground/definition-reading.ts";
import { Seeded } from "./seeded.ts";

/*
 * What calls come to in a rehearsal, and how long they take. Nobody knows that before: shares and lengths are given, or
 * those of an earlier campaign, or usual ones, and each run of a rehearsal takes them a little differently, by as much
 * as they are uncertain. That is what the range of a forecast is about: over thousands of calls, luck alone is nearly
 * nothing, and a forecast that knew of nothing else would be surer than anybody is.
 */

/** What a call to a number that exists may come to. `invalid_number` is of the number, `unknown` of nobody's plan. */
export const REHEARSED = [
  "answered",
  "callback_requested",
  "opted_out",
  "voicemail",
  "no_answer",
  "busy",
  "failed",
] as const satisfies readonly Disposition[];

export type Rehearsed = (typeof REHEARSED)[number] | "invalid_number";

/** Longer than any agent talks. */
const MAX_SECONDS = 7_200;

const seconds = z.number().min(0).max(MAX_SECONDS);

/** Always the same, anything between two, or about a median with a long tail (log-normal), within bounds. */
const stretchSchema = z.union(
  [
    seconds,
    z
      .tuple([seconds, seconds])
      .refine(([least, most]) => least <= most, "must be two numbers of which the second is not smaller"),
    z
      .strictObject({ median: seconds, spread: z.number().min(0).max(2), least: seconds, most: seconds })
      .refine(({ least, most }) => least <= most, "must have a `most` that is not below its `least`"),
  ],
  {
    error:
      "must be seconds such as 30, two of them such as [20, 40], or { median: 55, spread: 0.6, least: 20, most: 180 }",
  },
);

type Stretch = z.output<typeof stretchSchema>;

const wordSchema = z.enum([...REHEARSED, "invalid_number"]);

const profileSchema = z.strictObject({
  /** How often calls to numbers that exist come to what, in proportion to each other. What is not named never comes. */
  shares: z
    .partialRecord(z.enum(REHEARSED), z.number().min(0).max(1_000_000))
    .refine((shares) => Object.values(shares).some((share) => share > 0), "must hold a share above 0")
    .optional(),
  /** The part of the numbers that no call reaches. */
  invalid_numbers: z.number().min(0).max(1).optional(),
  /** Until somebody answers, or nobody will. */
  ring_seconds: z.partialRecord(wordSchema, stretchSchema).optional(),
  /** From the answer to the end. */
  talk_seconds: z.partialRecord(wordSchema, stretchSchema).optional(),
  /** How far off shares and lengths may be: one standard deviation, 0.15 for 15 %. */
  uncertainty: z.number().min(0).max(1).optional(),
});

/** What somebody knows, or expects, of the calls of a campaign. */
export type OutcomeProfile = z.output<typeof profileSchema>;

const CALLED = { whole: "the outcomes", kind: "a profile of outcomes" };

/** Reads a profile and reports every problem at once. Takes the parsed YAML or JSON value. */
export function readOutcomeProfile(value: unknown): DefinitionReading<OutcomeProfile> {
  return readBySchema(profileSchema, value, CALLED);
}

/** A profile with nothing left open. */
export interface OutcomeModel {
  shares: Readonly<Partial<Record<(typeof REHEARSED)[number], number>>>;
  invalidNumbers: number;
  ringSeconds: Readonly<Record<Rehearsed, Stretch>>;
  talkSeconds: Readonly<Record<Rehearsed, Stretch>>;
  uncertainty: number;
}

const TALK: Stretch = { median: 55, spread: 0.6, least: 20, most: 180 };

/**
 * Where nothing is known: what the sandbox plays, so that a rehearsal there and one here are of the same world. A test
 * holds the two against each other.
 */
export const USUAL_OUTCOMES: OutcomeModel = {
  shares: { answered: 45, voicemail: 15, no_answer: 20, busy: 10, failed: 5 },
  invalidNumbers: 0.05,
  ringSeconds: {
    answered: [5, 25],
    callback_requested: [5, 25],
    opted_out: [5, 25],
    voicemail: [15, 25],
    no_answer: [25, 40],
    busy: [1, 3],
    failed: [1, 4],
    invalid_number: [1, 2],
  },
  talkSeconds: {
    answered: TALK,
    callback_requested: TALK,
    opted_out: TALK,
    voicemail: [20, 40],
    no_answer: 0,
    busy: 0,
    failed: 0,
    invalid_number: 0,
  },
  uncertainty: 0.15,
};

export function modelOf(profile: OutcomeProfile, base = USUAL_OUTCOMES): OutcomeModel {
  return {
    shares: profile.shares ?? base.shares,
    invalidNumbers: profile.invalid_numbers ?? base.invalidNumbers,
    ringSeconds: { ...base.ringSeconds, ...profile.ring_seconds },
    talkSeconds: { ...base.talkSeconds, ...profile.talk_seconds },
    uncertainty: profile.uncertainty ?? base.uncertainty,
  };
}

/** What a campaign that was run says of the calls of another one. */
export interface PastCalls {
  /** Attempts by what they came to. */
  dispositions: Readonly<Record<string, number>>;
  /** Of all of them together. */
  talkSeconds: number;
  /** Contacts that were called, and those of them whose number does not exist. */
  dialed: number;
  invalid: number;
}

/** Somebody else's list at another time is not this one, though it is nearer than what is usual. */
const PAST_UNCERTAINTY = 0.1;

/**
 * Shares and talk as an earlier campaign had them. Its ringing is not kept, and is the usual one.
 *
 * @returns undefined where it called nobody.
 */
export function modelOfPast(past: PastCalls): OutcomeModel | undefined {
  const { dispositions, talkSeconds } = past;
  const count = (word: string) => dispositions[word] ?? 0;
  const shares = Object.fromEntries(REHEARSED.map((word) => [word, count(word)]));
  const made = REHEARSED.reduce((sum, word) => sum + count(word), 0);
  if (made === 0) return undefined;
  const spoken = count("answered") + count("callback_requested") + count("opted_out");
  // Machines are spoken to for as long as is usual; what is left is of people.
  const ofMachines = count("voicemail") * meanOf(USUAL_OUTCOMES.talkSeconds.voicemail);
  const mean = spoken === 0 ? meanOf(TALK) : Math.max(1, (talkSeconds - ofMachines) / spoken);
  const talk = scaled(TALK, mean / meanOf(TALK));
  return {
    ...USUAL_OUTCOMES,
    shares,
    invalidNumbers: past.dialed === 0 ? 0 : Math.min(1, past.invalid / past.dialed),
    talkSeconds: { ...USUAL_OUTCOMES.talkSeconds, answered: talk, callback_requested: talk, opted_out: talk },
    uncertainty: PAST_UNCERTAINTY,
  };
}

function scaled(stretch: Stretch, factor: number): Stretch {
  const by = (value: number) => Math.min(MAX_SECONDS, value * factor);
  if (typeof stretch === "number") return by(stretch);
  if (Array.isArray(stretch)) return [by(stretch[0]), by(stretch[1])];
  const { median, spread, least, most } = stretch;
  return { median: by(median), spread, least: by(least), most: by(most) };
}

/** By so many draws; enough to tell seconds. */
const MEAN_DRAWS = 2_000;

function meanOf(stretch: Stretch): number {
  const random = new Seeded();
  let sum = 0;
  for (let draw = 0; draw < MEAN_DRAWS; draw += 1) {
    random.begin(1, draw, 0);
    sum += secondsOf(stretch, random);
  }
  return sum / MEAN_DRAWS;
}

function secondsOf(stretch: Stretch, random: Seeded): number {
  if (typeof stretch === "number") return stretch;
  if (Array.isArray(stretch)) return stretch[0] + random.next() * (stretch[1] - stretch[0]);
  const { median, spread, least, most } = stretch;
  return Math.min(most, Math.max(least, median * Math.exp(spread * random.normal())));
}

/** Which of the numbers of a seed are about what. */
const OF_THE_RUN = -1;
const OF_THE_NUMBER = 0;

/** What calls come to in one run. The same person's same call comes to the same, whatever happens around it. */
export class RunOutcomes {
  /** Of the call that was drawn last. */
  disposition: Rehearsed = "failed";
  ringMs = 0;
  talkMs = 0;
  readonly #model: OutcomeModel;
  readonly #seed: number;
  readonly #random = new Seeded();
  readonly #shares: readonly (readonly [word: (typeof REHEARSED)[number], upTo: number])[];
  readonly #invalidNumbers: number;
  readonly #talkFactor: number;

  constructor(model: OutcomeModel, seed: number) {
    this.#model = model;
    this.#seed = seed;
    this.#random.begin(seed, OF_THE_RUN, 0);
    const doubt = () => Math.exp(model.uncertainty * this.#random.normal());
    this.#talkFactor = doubt();
    this.#invalidNumbers = Math.min(1, model.invalidNumbers * doubt());
    const weights = REHEARSED.map((word) => (model.shares[word] ?? 0) * doubt());
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    let upTo = 0;
    this.#shares = REHEARSED.map((word, index) => [word, (upTo += (weights[index] ?? 0) / all)]);
  }

  /** Draws what the n-th call to somebody comes to. From 1. */
  draw(person: number, nth: number): void {
    const random = this.#random;
    random.begin(this.#seed, person, OF_THE_NUMBER);
    const isInvalid = random.next() < this.#invalidNumbers;
    random.begin(this.#seed, person, nth);
    this.disposition = isInvalid ? "invalid_number" : this.#pick(random.next());
    const { ringSeconds, talkSeconds } = this.#model;
    this.ringMs = Math.round(secondsOf(ringSeconds[this.disposition], random) * 1_000);
    const talkedMs = secondsOf(talkSeconds[this.disposition], random) * 1_000;
    this.talkMs = Math.round(talkedMs * this.#talkFactor);
  }

  #pick(point: number): Rehearsed {
    let last: Rehearsed = "failed";
    for (const [word, upTo] of this.#shares) {
      if (point < upTo) return word;
      if ((this.#model.shares[word] ?? 0) > 0) last = word;
    }
    // The sum of the shares may fall short of 1 by a rounding.
    return last;
  }
}
