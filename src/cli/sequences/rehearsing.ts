import { z } from "zod";

import type { Config } from "../../config.ts";
import { readContact } from "../../contacts/one-contact.ts";
import { readBySchema } from "../../domain/ground/definition-reading.ts";
import { numberKindOf } from "../../domain/policy/number-kind.ts";
import type { SequenceDefinition } from "../../domain/sequences/definition.ts";
import {
  assumableAt,
  waysOf,
  type Branch,
  type Way,
  type Ways,
} from "../../domain/sequences/rehearsal/ways.ts";
import { learnBlackouts, withBlackouts, type Learnt } from "../campaigns/rehearse/known-besides.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { problemLines, readYamlFile } from "../yaml-file.ts";
import { readSequenceFile } from "./sequence-file.ts";

export interface SequenceRehearseOptions {
  person: string;
  from?: string;
  assume: readonly string[];
  json?: true;
}

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

/** The ways of one person, and what they were walked by. */
export interface RehearsedSequence {
  definition: SequenceDefinition;
  phone: string;
  zones: readonly string[];
  fromMs: number;
  ways: Ways;
  blackouts: Learnt<number>;
}

/** @throws CliError for a sequence, a person or an assumption that can't be. */
export async function rehearseSequence(
  config: Config,
  file: string,
  options: SequenceRehearseOptions,
): Promise<RehearsedSequence> {
  const definition = readSequenceFile(file);
  const { person, contact } = readPerson(options.person, definition);
  const blackouts = await learnBlackouts(config, definition.brand);
  const fromMs = options.from === undefined ? Date.now() : Date.parse(options.from);
  const isStrict = definition.zones === "strict";
  const zones = isStrict ? contact.strictZones : contact.zones;
  const { consent } = contact;
  const ways = waysOf({
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
    assumed: readAssumed(options.assume, definition),
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

function readPerson(file: string, { default_region: defaultRegion }: SequenceDefinition) {
  const { value, lineOf } = readYamlFile(file, { what: "a person" });
  const reading = readBySchema(personSchema, value, CALLED);
  if (!reading.ok) {
    const problems = problemLines(reading.problems, lineOf);
    throw new CliError(`${file} holds no person:\n${problems.join("\n")}`, EXIT.badInput);
  }
  const person = reading.definition;
  const contact = readContact(person.phone, {
    defaultRegion,
    region: person.region,
    timeZone: person.time_zone,
    country: person.country,
    state: person.state,
    postalCode: person.postal_code,
    ...(person.consent && { consent: { ...person.consent, expiresAt: person.consent.expires_at } }),
  });
  if (!contact.ok) throw new CliError(`${file}: ${contact.reason}`, EXIT.badInput);
  return { person, contact };
}

/** `welcome=answered`, each of a step that it may happen at. */
function readAssumed(pairs: readonly string[], definition: SequenceDefinition): Map<string, string[]> {
  const assumed = new Map<string, string[]>();
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    const id = pair.slice(0, at).trim();
    const what = pair.slice(at + 1).trim();
    const step = definition.steps.find((one) => one.id === id);
    if (at < 1 || !step)
      throw new CliError(
        `--assume ${JSON.stringify(pair)} is not step=what with a step of the sequence, which has ${definition.steps.map((one) => one.id).join(", ")}`,
        EXIT.badInput,
      );
    const possible = assumableAt(step);
    if (!possible?.includes(what))
      throw new CliError(
        possible
          ? `--assume ${pair}: at step ${id} there is ${possible.join(", ")}`
          : `--assume ${pair}: nothing is open at step ${id}: leave it out`,
        EXIT.badInput,
      );
    assumed.set(id, [...(assumed.get(id) ?? []), what]);
  }
  return assumed;
}

/** The one object of `--json`. Further fields may come; these stay. */
export function waysJson({ definition, phone, zones, fromMs, ways, blackouts }: RehearsedSequence) {
  return {
    sequence: definition.name,
    phone,
    zones,
    from: iso(fromMs),
    way: wayJson(ways.way),
    ends: ways.ends,
    not_walked: Object.fromEntries(ways.untold),
    blackouts: blackouts.ok ? blackouts.value : null,
  };
}

function wayJson({ points, end }: Way): Record<string, unknown> {
  return {
    points: points.map(({ atMs, step = null, what, detail }) => ({ at: iso(atMs), step, what, detail })),
    ...(end.kind === "fork"
      ? { fork: { at: iso(end.atMs), step: end.step, about: end.about, ways: end.branches.map(branchJson) } }
      : end.kind === "done"
        ? { end: { at: iso(end.atMs), outcome: end.outcome, reason: end.reason } }
        : { cut: { at: iso(end.atMs), why: end.why } }),
  };
}

function branchJson({ when, triedMs, way }: Branch): Record<string, unknown> {
  return { when, tries: triedMs.map(iso), ...wayJson(way) };
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
