import { splitSensitive } from "../../domain/campaigns/sensitive-spec.ts";
import { evaluateText } from "../../domain/expressions/expressions.ts";
import { windowStatus } from "../../domain/policy/calling-window.ts";
import type { ConsentGiven } from "../../domain/policy/consent.ts";
import { windowInSpec } from "../../domain/campaigns/campaign-spec.ts";
import type { SequenceDefinition } from "../../domain/sequences/definition.ts";
import { startPosition } from "../../domain/sequences/turn.ts";
import { createBreather } from "../ground/breather.ts";
import type { Db } from "../ground/connection.ts";
import { DataKeys, NoDataKeyError } from "../ground/data-keys.ts";
import { recordConsents } from "../ground/consents.ts";
import { callStepsOf } from "./call-steps.ts";
import { endEnrolments } from "./enrolment-ends.ts";
import {
  findByRequestKey,
  findEnrolledByImport,
  findOpenEnrolments,
  insertEnrolments,
  lockOpenEnrolments,
  type NewEnrolment,
} from "./enrolments.ts";
import { putOutbox, type OutboxEntry } from "../ground/outbox.ts";
import { claimRequest, RequestReusedError } from "../ground/request-keys.ts";
import { findSequence, readDefinition, shareSequence, type Sequence } from "./sequences.ts";
import { suppressedAmong } from "../ground/suppressions.ts";
import { zoneKeyOf, zoneSetIds } from "../ground/zone-sets.ts";

/** Somebody who is to go through a sequence. */
export interface Person {
  /** E.164. */
  phone: string;
  region: string | undefined;
  /** IANA names; none where nothing is known. */
  zones: readonly string[];
  /** The same under `zones: strict`. */
  strictZones: readonly string[];
  /** Countries, and states as `US-FL`, that the person may be in; absent: not known beyond the zones. */
  places?: readonly string[];
  /** The same under `zones: strict`. */
  strictPlaces?: readonly string[];
  variables: Readonly<Record<string, string>>;
  /** Tells several enrolments of one person apart, where the sequence's policy is `parallel`. */
  key?: string | undefined;
}

export interface EnrollInput extends Person {
  /** What was said of consent to be called; absent: nothing. */
  consent?: ConsentGiven | undefined;
  sequenceName: string;
  brand: string;
  /** Where it came from: `api`, `list`, `trigger <name>`, `follow-up`. */
  source: string;
  /** Makes it the same enrolment for ever; unique over the whole ledger. */
  requestKey?: string | undefined;
  /** What seals sensitive variables; absent: there is no key, and nobody who brings one is enrolled. */
  dataKeys?: DataKeys | undefined;
  /**
   * What was asked for under that key (request-keys.ts), and what whoever asks calls the key; absent: it is not
   * compared.
   */
  request?: { digest: string; key: string };
  nowMs: number;
}

export type EnrollRefusal =
  | "unknown_sequence"
  | "sequence_closed"
  | "suppressed"
  | "no_time_zone"
  | "no_common_window"
  | "invalid_key"
  /** They bring a sensitive variable, and there is nothing to seal it with. */
  | "no_data_key";

export type EnrollResult =
  | { kind: "enrolled"; enrolmentId: string }
  /** By the same request before, or the person is in the sequence already and is to stay where they are. */
  | { kind: "already"; enrolmentId: string }
  | { kind: "refused"; reason: EnrollRefusal; detail: string };

/** Somebody else's enrolment of the same person may come and go in between; each time it is looked at anew. */
const MAX_LOOKS = 5;

/**
 * Enrolls one person. Once the transaction is committed the enrolment is accepted: its workflow is started from the
 * outbox, be Temporal there or not (I5). Give it before anything in the transaction that locks campaigns.
 *
 * @throws RequestReusedError where its key came before with another request.
 */
export async function enroll(tx: Db, input: EnrollInput): Promise<EnrollResult> {
  const { nowMs } = input;
  const before = await enrolledBy(tx, input);
  if (before !== undefined) return { kind: "already", enrolmentId: before };
  const sequence = await findSequence(tx, input.brand, input.sequenceName);
  if (!sequence) return unknownSequence(input.brand, input.sequenceName);
  const definition = await readDefinition(tx, sequence.id, sequence.version);
  if (input.consent) {
    const { phone, source, consent } = input;
    await recordConsents(tx, { brand: sequence.brand, consents: [{ ...consent, phone }], source, nowMs });
  }
  for (let look = 1; look <= MAX_LOOKS; look += 1) {
    const outcomes = await enrollPeople(tx, {
      sequence,
      definition,
      people: [input],
      source: input.source,
      requestKey: input.requestKey,
      requestDigest: input.request?.digest,
      dataKeys: input.dataKeys,
      nowMs,
    });
    const [outcome] = outcomes;
    if (outcome && outcome.kind !== "taken") {
      if (outcome.kind === "enrolled") await putOutbox(tx, [outboxOf(outcome.enrolmentId, nowMs)]);
      if (outcome.kind === "already") await noteRequest(tx, input);
      return outcome;
    }
    // Somebody was quicker, and has committed by now.
    const same = await enrolledBy(tx, input);
    if (same !== undefined) return { kind: "already", enrolmentId: same };
  }
  throw new Error(`the number is enrolled in "${sequence.name}" and leaves it over and over at this moment`);
}

/** Whom the same request enrolled before. */
async function enrolledBy(tx: Db, { requestKey, request }: EnrollInput): Promise<string | undefined> {
  const before = requestKey === undefined ? undefined : await findByRequestKey(tx, requestKey);
  if (request && before?.digest !== undefined && before.digest !== request.digest)
    throw new RequestReusedError(request.key, "request");
  return before?.id;
}

/** Remembers for what it came a key that enrolled nobody: no enrolment has it. */
async function noteRequest(tx: Db, { requestKey, request, nowMs }: EnrollInput): Promise<void> {
  if (requestKey === undefined || !request) return;
  await claimRequest(tx, { key: requestKey, digest: request.digest, nowMs });
}

function outboxOf(subject: string, dueAtMs: number): OutboxEntry {
  return { kind: "enrolment", subject, dueAtMs };
}

export interface EnrollPeopleInput {
  sequence: Sequence;
  /** Of the sequence's version. */
  definition: SequenceDefinition;
  people: readonly (Person & { line?: number })[];
  source: string;
  /** Of a single one. */
  requestKey?: string | undefined;
  requestDigest?: string | undefined;
  dataKeys?: DataKeys | undefined;
  importId?: number;
  nowMs: number;
}

/** `taken`: the person was enrolled by somebody else, or by an earlier row, while this was under way. */
export type PersonOutcome = EnrollResult | { kind: "taken" };

/**
 * Enrolls people in one sequence, set-based. The caller writes their outbox rows, last in its transaction. What is
 * sensitive is told apart here, before anything else reads a variable: no door can forget it.
 *
 * @returns what became of each, in their order.
 */
export async function enrollPeople(tx: Db, input: EnrollPeopleInput): Promise<PersonOutcome[]> {
  const { definition, nowMs } = input;
  const { sensitive = [] } = definition;
  const people = input.people.map(({ variables, ...person }) => {
    const { open, secret } = splitSensitive(variables, sensitive);
    return { ...person, variables: open, secret, ...whereUnder(definition, person) };
  });
  const keyed = people.map((person) => ({ person, key: keyOf(definition, person, nowMs) }));
  const named = keyed.flatMap(({ person, key }) => (key.ok ? [{ ...person, key: key.value }] : []));
  const restarts = definition.re_enrolment.policy === "restart";
  const locked = restarts ? await lockOpenEnrolments(tx, input.sequence.id, named) : [];
  const open = restarts ? locked : await findOpenEnrolments(tx, input.sequence.id, named);
  const openByPerson = new Map(open.map((one) => [nameOf(one), one.id]));
  // Wherever an earlier row of the same list has led them by now: a list enrolls nobody twice.
  const listed = new Set((await findEnrolledByImport(tx, input.importId, named)).map(nameOf));
  const sequence = await shareSequence(tx, input.sequence.id);
  const refusalOf = await refusalsOf(tx, { ...input, sequence, people: named });
  const welcome = named.filter(
    (person) =>
      refusalOf(person) === undefined &&
      !listed.has(nameOf(person)) &&
      (restarts || !openByPerson.has(nameOf(person))),
  );
  const welcomed = new Set(welcome.map(nameOf));
  const restarted = locked.filter((one) => welcomed.has(nameOf(one)));
  await endEnrolments(tx, restarted, RESTARTED, nowMs);
  const inserted = await insertEnrolments(tx, await freshOf(tx, input, welcome), nowMs);
  const fresh = new Map(inserted.map((row) => [`${nameOf(row)} ${row.line ?? ""}`, row.id]));
  return keyed.map(({ person, key }): PersonOutcome => {
    if (!key.ok) return { kind: "refused", reason: "invalid_key", detail: `its key: ${key.problem}` };
    const name = nameOf({ phone: person.phone, key: key.value });
    const enrolmentId = fresh.get(`${name} ${person.line ?? ""}`);
    if (enrolmentId !== undefined) return { kind: "enrolled", enrolmentId };
    if (listed.has(name)) return { kind: "taken" };
    const present = openByPerson.get(name);
    if (present !== undefined && !restarts) return { kind: "already", enrolmentId: present };
    const refusal = refusalOf(person);
    return refusal ? { kind: "refused", ...refusal } : { kind: "taken" };
  });
}

/** Decided here, by the definition that they are enrolled under: no door can forget it. */
export function whereUnder(
  { zones: rule }: SequenceDefinition,
  person: Pick<Person, "zones" | "strictZones" | "places" | "strictPlaces">,
): { zones: readonly string[]; places: readonly string[] } {
  return rule === "strict"
    ? { zones: person.strictZones, places: person.strictPlaces ?? [] }
    : { zones: person.zones, places: person.places ?? [] };
}

/** How the enrolment before ends where the sequence begins anew for its person. */
const RESTARTED = { outcome: "restarted", reason: "enrolled again" } as const;

function nameOf({ phone, key }: { phone: string; key: string }): string {
  return `${phone} ${key}`;
}

function unknownSequence(brand: string, name: string): EnrollResult {
  return {
    kind: "refused",
    reason: "unknown_sequence",
    detail: `brand ${brand} has no sequence ${JSON.stringify(name)}`,
  };
}

/** Under other policies everybody is in it once. */
function keyOf(
  definition: SequenceDefinition,
  person: Person,
  nowMs: number,
): { ok: true; value: string } | { ok: false; problem: string } {
  const { policy, key: expression } = definition.re_enrolment;
  if (policy !== "parallel") return { ok: true, value: "" };
  if (person.key !== undefined || expression === undefined) return { ok: true, value: person.key ?? "" };
  return evaluateText(expression, "sequence", {
    ...beginningOf(definition, person.variables),
    contact: { phone: person.phone, region: person.region ?? "" },
    now: new Date(nowMs),
  });
}

/** What the expression of a key may speak of: nothing has happened yet. */
function beginningOf(definition: SequenceDefinition, given: Person["variables"]) {
  const { variables, last_call, events } = startPosition(definition, given);
  return { variables, last_call, events };
}

/** A person whose sensitive variables are apart from the others. */
type WithSecrets = Person & { secret: Readonly<Record<string, string>> };

type Refusal = { reason: EnrollRefusal; detail: string };

/** Why people are not taken, if so. */
async function refusalsOf(
  tx: Db,
  input: Pick<EnrollPeopleInput, "definition" | "dataKeys" | "nowMs"> & {
    sequence: Sequence | undefined;
    people: readonly WithSecrets[];
  },
): Promise<(person: WithSecrets) => Refusal | undefined> {
  const { sequence, definition, people, dataKeys, nowMs } = input;
  if (!sequence || sequence.state === "closed") {
    const detail = `sequence "${definition.name}" is closed: it takes nobody any more`;
    return () => ({ reason: "sequence_closed", detail });
  }
  const phones = people.map(({ phone }) => phone);
  const suppressed = await suppressedAmong(tx, { phones, brand: sequence.brand, nowMs });
  const unreachable = unreachableIn(sequence.id, definition, nowMs);
  return ({ phone, zones, places, secret }) => {
    if (dataKeys?.currentId === undefined && Object.keys(secret).length > 0)
      return { reason: "no_data_key", detail: new NoDataKeyError().message };
    if (suppressed.has(phone)) return { reason: "suppressed", detail: "the number is suppressed" };
    return unreachable(zones, places);
  };
}

/** Who could be called by no call step at all; where one could, the others branch by `refused`. */
function unreachableIn(
  sequenceId: string,
  definition: SequenceDefinition,
  nowMs: number,
): (zones: readonly string[], places?: readonly string[]) => Refusal | undefined {
  const windows = [...callStepsOf(sequenceId, definition).values()].map(({ spec }) => windowInSpec(spec));
  const known = new Map<string, boolean>();
  const isReachable = (zones: readonly string[], places: readonly string[]) => {
    const key = zoneKeyOf(zones, places);
    const before = known.get(key);
    if (before !== undefined) return before;
    const reachable = windows.some((window) => {
      const status = windowStatus(window, zones, nowMs, places);
      return status.open || status.opensAtMs !== undefined;
    });
    known.set(key, reachable);
    return reachable;
  };
  return (zones, places = []) => {
    if (windows.length === 0 || isReachable(zones, places)) return undefined;
    if (zones.length === 0) {
      return {
        reason: "no_time_zone",
        detail: "no time zone is known for the number, and calls have a window: give its time zone",
      };
    }
    return {
      reason: "no_common_window",
      detail: `zones ${zones.join(", ")}: no call step has an opening in all of them within 14 days`,
    };
  };
}

async function freshOf(
  tx: Db,
  input: EnrollPeopleInput,
  people: readonly (WithSecrets & { key: string; line?: number })[],
): Promise<NewEnrolment[]> {
  if (people.length === 0) return [];
  const { dataKeys = new DataKeys() } = input;
  const breathe = createBreather();
  const idByZones = await zoneSetIds(
    tx,
    people.map(({ zones, places }) => zoneKeyOf(zones, places)),
  );
  const fresh: NewEnrolment[] = [];
  for (const person of people) {
    const zoneSetId = idByZones.get(zoneKeyOf(person.zones, person.places));
    if (zoneSetId === undefined) throw new Error("a set of zones vanished while it was used");
    const isBare = Object.keys(person.secret).length === 0;
    fresh.push({
      sequenceId: input.sequence.id,
      version: input.sequence.version,
      phone: person.phone,
      region: person.region,
      zoneSetId,
      key: person.key,
      source: input.source,
      requestKey: input.requestKey,
      requestDigest: input.requestDigest,
      ...(input.importId !== undefined && { importId: input.importId }),
      ...(person.line !== undefined && { line: person.line }),
      at: startPosition(input.definition, person.variables),
      ...(!isBare && { sealed: dataKeys.seal(person.phone, person.secret) }),
    });
    await breathe();
  }
  return fresh;
}
