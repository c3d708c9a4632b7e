import { z } from "zod";

import { readBySchema } from "../domain/ground/definition-reading.ts";
import type { SpecProblem } from "../domain/ground/spec-problems.ts";
import { withBlackouts } from "../domain/campaigns/rehearsal/plan-of-spec.ts";
import { numberKindOf } from "../domain/policy/number-kind.ts";
import type { DateSpan } from "../domain/policy/window-dates.ts";
import type { SequenceDefinition } from "../domain/sequences/definition.ts";
import { assumableAt, waysOf, type Branch, type Way, type Ways } from "../domain/sequences/rehearsal/ways.ts";
import { readContact } from "./one-contact.ts";
import type { Learnt } from "./rehearsed-campaign.ts";

const word = z.string().max(200);

const personSchema = z.strictObject({
  phone: z.union([word, z.number()]).transform(String),
  time_zone: word.optional(),
  region: word.optional(),
  country: word.optional(),
  state: word.optional(),
  postal_code: z.union([word, z.number()]).transform(String).optional(),
  /** What was said of consent to be called, as lists say it in their columns. */
  consent: z
    .strictObject({ basis: word, at: word, proof: word.default(""), expires_at: word.default("") })
    .optional(),
  variables: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))
    .default({}),
  key: word.default(""),
});

const CALLED = { whole: "the person", kind: "a person" };

/** Who is walked through a sequence. */
export interface RehearsedPerson {
  person: z.output<typeof personSchema>;
  contact: Extract<ReturnType<typeof readContact>, { ok: true }>;
}

export type PersonReading =
  | ({ ok: true } & RehearsedPerson)
  /** `reason`: the fields are well, and make nobody who can be called. */
  | { ok: false; problems: readonly SpecProblem[]; reason?: string };

/** Reads who goes through a sequence, whose region numbers without a country code are of. */
export function readRehearsedPerson(value: unknown, definition: SequenceDefinition): PersonReading {
  const reading = readBySchema(personSchema, value, CALLED);
  if (!reading.ok) return { ok: false, problems: reading.problems };
  const person = reading.definition;
  const contact = readContact(person.phone, {
    defaultRegion: definition.default_region,
    region: person.region,
    timeZone: person.time_zone,
    country: person.country,
    state: person.state,
    postalCode: person.postal_code,
    ...(person.consent && { consent: { ...person.consent, expiresAt: person.consent.expires_at } }),
  });
  return contact.ok ? { ok: true, person, contact } : { ok: false, problems: [], reason: contact.reason };
}

/** Why something can't be assumed of a step; undefined: it can. */
export function assumptionFault(
  definition: SequenceDefinition,
  id: string,
  what: string,
): string | undefined {
  const step = definition.steps.find((one) => one.id === id);
  if (!step)
    return `there is no step ${JSON.stringify(id)}: the sequence has ${definition.steps.map((one) => one.id).join(", ")}`;
  const possible = assumableAt(step);
  if (!possible) return `nothing is open at step ${id}: leave it out`;
  return possible.includes(what) ? undefined : `at step ${id} there is ${possible.join(", ")}`;
}

/** The ways of one person, and what they were walked by. */
export interface RehearsedSequence {
  definition: SequenceDefinition;
  phone: string;
  zones: readonly string[];
  fromMs: number;
  ways: Ways;
  /** How many blackouts there are to come. */
  blackouts: Learnt<number>;
}

/**
 * Walks a person through a sequence, and pauses at each turn: a sequence that forks much takes a fifth of a second. Pure,
 * but for the clock's rules of zones.
 */
export function* walkSequence(
  definition: SequenceDefinition,
  { person, contact }: RehearsedPerson,
  given: {
    blackouts: Learnt<readonly DateSpan[]>;
    fromMs: number;
    assumed: ReadonlyMap<string, readonly string[]>;
  },
): Generator<void, RehearsedSequence> {
  const { blackouts, fromMs, assumed } = given;
  const isStrict = definition.zones === "strict";
  const zones = isStrict ? contact.strictZones : contact.zones;
  const { consent } = contact;
  const ways = yield* waysOf({
    definition,
    facts: {
      sequenceId: "rehearsal",
      enrolmentId: "rehearsal",
      phone: contact.phone,
      region: contact.region,
      zones,
      key: person.key,
    },
    variables: person.variables,
    number: numberKindOf(contact.phone),
    places: isStrict ? contact.strictPlaces : contact.places,
    consents: consent ? [{ ...consent, atMs: consent.obtainedAtMs }] : [],
    windowOf: (window) => withBlackouts(window, blackouts.ok ? blackouts.value : []),
    fromMs,
    assumed,
  });
  return {
    definition,
    phone: contact.phone,
    zones,
    fromMs,
    ways,
    blackouts: blackouts.ok ? { ok: true, value: blackouts.value.length } : blackouts,
  };
}

/** The ways as `--json` and the API have them. Further fields may come; these stay. */
export function waysJson({ definition, phone, zones, fromMs, ways, blackouts }: RehearsedSequence) {
  return {
    sequence: definition.name,
    phone,
    zones: [...zones],
    from: iso(fromMs),
    way: wayJson(ways.way),
    ends: ways.ends,
    not_walked: Object.fromEntries(ways.untold),
    blackouts: blackouts.ok ? blackouts.value : null,
  };
}

/** A way as it is written. */
export interface WayJson {
  points: { at: string; step: string | null; what: string; detail: Record<string, unknown> }[];
  fork?: { at: string; step: string; about: string; ways: BranchJson[] } | undefined;
  end?: { at: string; outcome: string; reason: string } | undefined;
  cut?: { at: string; why: string } | undefined;
}

export interface BranchJson extends WayJson {
  when: string[];
  tries: string[];
}

function wayJson({ points, end }: Way): WayJson {
  return {
    points: points.map(({ atMs, step = null, what, detail }) => ({ at: iso(atMs), step, what, detail })),
    ...(end.kind === "fork"
      ? { fork: { at: iso(end.atMs), step: end.step, about: end.about, ways: end.branches.map(branchJson) } }
      : end.kind === "done"
        ? { end: { at: iso(end.atMs), outcome: end.outcome, reason: end.reason } }
        : { cut: { at: iso(end.atMs), why: end.why } }),
  };
}

function branchJson({ when, triedMs, way }: Branch): BranchJson {
  return { when: [...when], tries: triedMs.map(iso), ...wayJson(way) };
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
