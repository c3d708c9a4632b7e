import fs from "node:fs";

import type { CliCommand } from "../cli-command.ts";
import { readStoredSequence, type SequenceDefinition } from "../../domain/sequences/definition.ts";
import { mermaidOf } from "../../domain/sequences/diagram.ts";
import { workOf } from "../../domain/sequences/steps.ts";
import { CliError } from "../errors.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { table } from "../view/report.ts";
import { sequenceBrandOption } from "./options.ts";
import { readSequenceFile } from "./sequence-file.ts";

interface ShowOptions {
  brand: string;
  mermaid?: true;
  json?: true;
}

const HELP = `
With --mermaid it is a flowchart in Mermaid's language, which GitHub and many editors draw.

Examples:
  outdial sequence show trial-welcome.yaml --mermaid > trial-welcome.mmd
  outdial sequence show trial-welcome`;

export function registerSequenceShow(sequence: CliCommand): void {
  sequence
    .command("show")
    .description("Shows the steps of a sequence, of a file or as a running system has it.")
    .argument("<sequence>", "a file, or a sequence's name or id")
    .addOption(sequenceBrandOption())
    .option("--mermaid", "as a Mermaid flowchart")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, ref: string, options: ShowOptions) => {
      const definition = fs.existsSync(ref)
        ? readSequenceFile(ref)
        : await withRunningSystem(config, async (api) =>
            definitionOf((await api.sequences.get(ref, options.brand)).definition),
          );
      if (options.mermaid) {
        const diagram = mermaidOf(definition);
        voice.present(diagram.trimEnd().split("\n"));
        voice.json({ name: definition.name, mermaid: diagram });
      } else {
        voice.present(
          table([["step", "does", "then"], ...stepRows(definition)], voice.colours, {
            header: true,
            rightAligned: 0,
          }),
        );
        voice.json(definition);
      }
    });
}

/** What a system of another release may have, this one can't read. */
function definitionOf(value: unknown): SequenceDefinition {
  const reading = readStoredSequence(value);
  if (reading.ok) return reading.definition;
  throw new CliError("the running system is of another release: use the command line of that one");
}

function stepRows({ steps }: SequenceDefinition): string[][] {
  return steps.map((step, index) => {
    const { kind } = workOf(step);
    const ways = Object.entries(step.on ?? {}).map(([way, to]) => `${way} → ${to}`);
    const inside = [
      ...(step.branch ?? []).map((way) =>
        "otherwise" in way ? `otherwise → ${way.otherwise}` : `${way.when} → ${way.to}`,
      ),
      ...(step.split ?? []).map(({ weight, to }) => `${weight} → ${to}`),
    ];
    const next =
      step.next ?? (ways.length + inside.length === 0 && kind !== "exit" ? steps[index + 1]?.id : undefined);
    const last = kind === "exit" ? `ends: ${step.exit?.outcome ?? ""}` : "completed";
    const shown = [...ways, ...inside, ...(next === undefined ? [] : [next])].join(", ");
    return [step.id, kind, shown === "" ? last : shown];
  });
}
