import { finishBreathing } from "../../ledger/ground/breather.ts";
import type { Config } from "../../config.ts";
import {
  assumptionFault,
  readRehearsedPerson,
  walkSequence,
  type RehearsedPerson,
  type RehearsedSequence,
} from "../../contacts/rehearsed-sequence.ts";
import type { SequenceDefinition } from "../../domain/sequences/definition.ts";
import { learnBlackouts } from "../campaigns/rehearse/known-besides.ts";
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

/** @throws CliError for a sequence, a person or an assumption that can't be. */
export async function rehearseSequence(
  config: Config,
  file: string,
  options: SequenceRehearseOptions,
): Promise<RehearsedSequence> {
  const definition = readSequenceFile(file);
  const person = readPerson(options.person, definition);
  const blackouts = await learnBlackouts(config, definition.brand);
  const fromMs = options.from === undefined ? Date.now() : Date.parse(options.from);
  const assumed = readAssumed(options.assume, definition);
  return finishBreathing(walkSequence(definition, person, { blackouts, fromMs, assumed }));
}

function readPerson(file: string, definition: SequenceDefinition): RehearsedPerson {
  const { value, lineOf } = readYamlFile(file, { what: "a person" });
  const reading = readRehearsedPerson(value, definition);
  if (reading.ok) return reading;
  if (reading.reason !== undefined) throw new CliError(`${file}: ${reading.reason}`, EXIT.badInput);
  const problems = problemLines(reading.problems, lineOf);
  throw new CliError(`${file} holds no person:\n${problems.join("\n")}`, EXIT.badInput);
}

/** `welcome=answered`, each of a step that it may happen at. */
function readAssumed(pairs: readonly string[], definition: SequenceDefinition): Map<string, string[]> {
  const assumed = new Map<string, string[]>();
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    const id = pair.slice(0, at).trim();
    const what = pair.slice(at + 1).trim();
    if (at < 1 || !definition.steps.some((one) => one.id === id))
      throw new CliError(
        `--assume ${JSON.stringify(pair)} is not step=what with a step of the sequence, which has ${definition.steps.map((one) => one.id).join(", ")}`,
        EXIT.badInput,
      );
    const fault = assumptionFault(definition, id, what);
    if (fault !== undefined) throw new CliError(`--assume ${pair}: ${fault}`, EXIT.badInput);
    assumed.set(id, [...(assumed.get(id) ?? []), what]);
  }
  return assumed;
}
