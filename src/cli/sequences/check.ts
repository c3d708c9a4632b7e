import type { CliCommand } from "../cli-command.ts";
import { warningLines, type CliContext } from "../context.ts";
import { findMissing } from "../find-missing.ts";
import { jsonOption } from "../options.ts";
import { countText } from "../view/words.ts";
import { readSequenceFile } from "./sequence-file.ts";

export function registerSequenceCheck(sequence: CliCommand, context: CliContext): void {
  sequence
    .command("check")
    .description(
      "Says everything that is wrong with a sequence, and what it needs that is not there, with or without a running system.",
    )
    .argument("<sequence.yaml>", "the sequence")
    .addOption(jsonOption())
    .does(async ({ config, voice }, file: string) => {
      const definition = readSequenceFile(file);
      const { name, brand, steps } = definition;
      const missing = await findMissing(config, context.ports, definition);
      const warnings = missing.map(({ field, problem }) => `${field}: ${problem}`);
      voice.tell([
        `sequence "${name}" is in order: ${countText(steps.length, "step")}, from ${steps[0]?.id ?? "nothing"} on`,
        ...warningLines(voice, warnings),
      ]);
      voice.json({ ok: true, name, brand, steps: steps.map(({ id }) => id), warnings });
    });
}
