import { callSpecsOf } from "../../domain/sequences/definition.ts";
import { agentsOf } from "../../domain/campaigns/campaign-spec.ts";
import { kindOf, otherKindError } from "../definition-file.ts";
import { readSequenceFile } from "../sequences/sequence-file.ts";
import { readSpecFile } from "../campaigns/run/spec-file.ts";
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
  switch (callingKindOf(file)) {
    case "campaign": {
      const spec = readSpecFile(file);
      const { name, from_numbers: fromNumbers } = spec;
      const agentIds = [...agentsOf(spec).keys()];
      return { what: `campaign "${name}"`, agentIds, fromNumbers, definition: spec };
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

/** By its `kind`, or by its fields. What is nothing that is known is refused by whoever reads campaigns. */
function callingKindOf(file: string): "campaign" | "sequence" {
  const { value } = readYamlFile(file, { what: "a campaign or a sequence" });
  const held = kindOf(value) ?? "campaign";
  if (held === "campaign" || held === "sequence") return held;
  const bearsKind = typeof value === "object" && value !== null && "kind" in value;
  throw otherKindError(file, { held, wanted: "doctor looks at campaigns and sequences", bearsKind });
}
