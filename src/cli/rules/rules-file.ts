import { readRuleSet } from "../../domain/rules/rule-set.ts";
import type { RuleSet } from "../../domain/rules/rehearsal.ts";
import { readSpecFile } from "../campaigns/run/spec-file.ts";
import { kindOf } from "../definition-file.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { readSequenceFile } from "../sequences/sequence-file.ts";
import { LARGEST_YAML_BYTES, readYamlFile } from "../yaml-file.ts";

export interface RulesFile {
  /** As the API takes it. */
  definition: unknown;
  rules: RuleSet;
}

/** Reads a campaign or a sequence. @throws CliError with every problem at once, each with its line and field. */
export function readRulesFile(file: string, step: string | undefined): RulesFile {
  const { value } = readYamlFile(file, {
    what: "a campaign or a sequence",
    largestBytes: LARGEST_YAML_BYTES,
  });
  const definition = kindOf(value) === "sequence" ? readSequenceFile(file) : readSpecFile(file);
  const reading = readRuleSet(definition, step);
  if (reading.ok) return { definition, rules: reading.definition };
  const told = reading.problems.map(
    ({ field, problem }) => `${field === "step" ? "--step" : field}: ${problem}`,
  );
  throw new CliError(`${file}: ${told.join("; ")}`, EXIT.badInput);
}
