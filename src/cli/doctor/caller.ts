import { DECLARED_KINDS } from "../../domain/declared/documents.ts";
import { callSpecsOf } from "../../domain/sequence/definition.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { readSequenceFile } from "../sequence/sequence-file.ts";
import { readSpecFile } from "../spec-file.ts";
import { readYamlFile } from "../yaml-file.ts";

/** Who calls, and from which numbers, by a file that is to be run. Each once. */
export interface Caller {
  /** As people call what the file holds: `campaign "spring"`. */
  what: string;
  agentIds: readonly string[];
  fromNumbers: readonly string[];
  /** As it was read: what else it needs stands in it. */
  definition: unknown;
}

/**
 * Reads a campaign's or a sequence's file for what the platform has to have for it.
 *
 * @throws CliError with every problem of the file, or that it holds something that calls nobody.
 */
export function readCaller(file: string): Caller {
  switch (kindOf(file)) {
    case "campaign": {
      const spec = readSpecFile(file);
      const { name, agent_id: agentId, from_numbers: fromNumbers } = spec;
      return { what: `campaign "${name}"`, agentIds: [agentId], fromNumbers, definition: spec };
    }
    case "sequence": {
      const sequence = readSequenceFile(file);
      const specs = callSpecsOf(sequence).map(({ spec }) => spec);
      return {
        what: `sequence "${sequence.name}"`,
        agentIds: [...new Set(specs.map((spec) => spec.agent_id))],
        fromNumbers: [...new Set(specs.flatMap((spec) => spec.from_numbers))],
        definition: sequence,
      };
    }
  }
}

/** By its `kind`; a file without one is a sequence where it has steps. */
function kindOf(file: string): "campaign" | "sequence" {
  const { value } = readYamlFile(file, { what: "a campaign or a sequence" });
  if (typeof value !== "object" || value === null) return "campaign";
  if (!("kind" in value)) return "steps" in value ? "sequence" : "campaign";
  const kind = DECLARED_KINDS.find((one) => one === value.kind);
  // What is no kind at all is refused with its line by whoever reads the file.
  if (kind === "campaign" || kind === "sequence" || kind === undefined) return kind ?? "campaign";
  throw new CliError(
    `${file} holds ${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}, and doctor looks at campaigns and sequences: check it with \`outdial diff -f ${file}\``,
    EXIT.badInput,
  );
}
