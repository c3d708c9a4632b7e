import type { DeclaredKey } from "../domain/declared/documents.ts";
import { needsOf, type Need } from "../domain/ground/needs.ts";
import {
  UnknownSecretError,
  UnusableSecretError,
  webhookKey,
  type ActsFor,
} from "../domain/ground/secrets.ts";
import type { Db } from "../ledger/ground/connection.ts";
import { readAutomation } from "../ledger/automations/automations.ts";
import { findCampaign } from "../ledger/campaigns/campaigns.ts";
import { readSource } from "../ledger/ground/suppression-sources.ts";
import { findSequence } from "../ledger/sequences/sequences.ts";
import { NotFoundError, PlatformError, type Platform } from "../platform/index.ts";
import type { HttpDeps } from "./deps.ts";

type DeclaredThing = "automation" | "campaign" | "suppression-source";

/** Where things are looked for that definitions need. */
export interface Places {
  secrets: HttpDeps["secrets"];
  refusalOf: HttpDeps["refusalOf"];
  /** Undefined: nobody can tell now. */
  hasAutomation: (workflowId: string) => Promise<boolean | undefined>;
  /** `unknown`: nobody can tell now. */
  sequenceState: (brand: string, name: string) => Promise<"there" | "closed" | "missing" | "unknown">;
  /** Of those that are declared here, by name. Undefined: nobody can tell now. */
  hasDeclared: (kind: DeclaredThing, brand: string, name: string) => Promise<boolean | undefined>;
}

/** Something that a definition needs and that is not there, or not as it has to be. */
export interface Missing {
  field: string;
  problem: string;
}

/** Different things that are looked for, at most. A definition with more of them is made by a program. */
const LOOKED_FOR = 200;

/**
 * What a definition needs and does not have, as far as can be known before the first call. It is told and never
 * refused: secrets, sequences and settings may come after it.
 *
 * @param actsFor whose it is: secrets of other brands are not there for it
 */
export async function missingOf(places: Places, definition: unknown, actsFor: ActsFor): Promise<Missing[]> {
  const answers = new Map<string, string | undefined>();
  const missing: Missing[] = [];
  for (const { field, ...need } of needsOf(definition)) {
    const id = JSON.stringify(need);
    if (!answers.has(id)) {
      if (answers.size >= LOOKED_FOR) break;
      answers.set(id, await problemOf(places, need, actsFor));
    }
    const problem = answers.get(id);
    if (problem !== undefined) missing.push({ field, problem });
  }
  return missing;
}

/** The same for people, by a system that runs. */
export async function warningsFor(
  deps: PlacesDeps,
  definition: unknown,
  actsFor: ActsFor,
): Promise<string[]> {
  return warningsIn(placesOf(deps), definition, actsFor);
}

/** The same, where the places are asked of many definitions. */
export async function warningsIn(places: Places, definition: unknown, actsFor: ActsFor): Promise<string[]> {
  const missing = await missingOf(places, definition, actsFor);
  return missing.map(({ field, problem }) => `${field}: ${problem}`);
}

/**
 * Where a system that runs looks.
 *
 * @param beside what is declared in the same request: none of it is missing
 */
export function placesOf(
  { ledger, platform, secrets, refusalOf }: PlacesDeps,
  beside: readonly DeclaredKey[] = [],
): Places {
  const isBeside = (kind: string, brand: string, name: string) =>
    beside.some((one) => one.kind === kind && one.name === name && (one.brand === "" || one.brand === brand));
  return {
    secrets,
    refusalOf,
    hasAutomation: automationsOf(platform),
    sequenceState: async (brand, name) =>
      isBeside("sequence", brand, name) ? "there" : sequenceState(ledger.db, brand, name),
    hasDeclared: async (kind, brand, name) =>
      isBeside(kind, brand, name) || (await isDeclared(ledger.db, kind, brand, name)),
  };
}

type PlacesDeps = Pick<HttpDeps, "ledger" | "platform" | "secrets" | "refusalOf">;

/**
 * Asks the platform for automations. One that does not answer, or not with this key, says nothing of them, and is not
 * asked again: a person waits.
 */
export function automationsOf(platform: Platform): Places["hasAutomation"] {
  let isSilent = false;
  return async (workflowId) => {
    if (isSilent) return undefined;
    try {
      await platform.workflows.get(workflowId);
      return true;
    } catch (error) {
      if (error instanceof NotFoundError) return false;
      if (!(error instanceof PlatformError)) throw error;
      isSilent = true;
      return undefined;
    }
  };
}

async function sequenceState(db: Db, brand: string, name: string): Promise<"there" | "closed" | "missing"> {
  const sequence = await findSequence(db, brand, name);
  if (!sequence) return "missing";
  return sequence.state === "closed" ? "closed" : "there";
}

async function isDeclared(db: Db, kind: DeclaredThing, brand: string, name: string) {
  if (kind === "suppression-source") {
    const source = await readSource(db, name);
    return source !== undefined && (source.brand ?? brand) === brand;
  }
  if (kind === "campaign") return (await findCampaign(db, brand, name)) !== undefined;
  const automation = await readAutomation(db, name);
  return automation !== undefined && automation.state !== "removing";
}

type Wanted = Need extends infer One ? (One extends Need ? Omit<One, "field"> : never) : never;

async function problemOf(places: Places, need: Wanted, actsFor: ActsFor): Promise<string | undefined> {
  switch (need.kind) {
    case "address":
      return places.refusalOf(need.url);
    case "secret":
      return secretProblem(places, need, actsFor);
    case "automation":
      return (await places.hasAutomation(need.workflowId)) === false
        ? `the platform has no automation ${need.workflowId}: check the id, and that PLATFORM_API_KEY is of the organization that has it`
        : undefined;
    case "declared_automation":
      return (await places.hasDeclared("automation", "", need.name)) === false
        ? `there is no automation "${need.name}": put it (\`outdial automation put\`), or correct the name`
        : undefined;
    case "campaign":
      return (await places.hasDeclared("campaign", need.brand, need.name)) === false
        ? `there is no campaign "${need.name}" in brand "${need.brand}", and the schedule has no spec to make it from: create it, give run.spec, or correct the name`
        : undefined;
    case "source":
      return (await places.hasDeclared("suppression-source", need.brand, need.name)) === false
        ? `there is no source of suppressions ${need.name} for brand "${need.brand}", and nobody is called without it: declare it (\`outdial suppress source put ${need.name}\`), or correct the name`
        : undefined;
    case "sequence": {
      const state = await places.sequenceState(need.brand, need.name);
      if (state === "missing")
        return `there is no sequence "${need.name}" in brand "${need.brand}": put it, or correct the name`;
      return state === "closed"
        ? `the sequence "${need.name}" is closed and takes nobody: put it anew under another name, or name another`
        : undefined;
    }
  }
}

function secretProblem(
  { secrets }: Places,
  { name, signs }: { name: string; signs: boolean },
  actsFor: ActsFor,
): string | undefined {
  try {
    const values = secrets.read(name, actsFor);
    if (signs) for (const value of values) webhookKey(name, value);
    return undefined;
  } catch (error) {
    if (error instanceof UnknownSecretError || error instanceof UnusableSecretError) return error.message;
    throw error;
  }
}
