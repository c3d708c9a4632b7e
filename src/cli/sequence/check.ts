import type { Command } from "commander";

import { voiceOf, type CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, settingsFor } from "../options.ts";
import { countText } from "../view/words.ts";
import { readSequenceFile } from "./sequence-file.ts";

export function registerSequenceCheck(sequence: Command, context: CliContext): void {
  sequence
    .command("check")
    .description("Says everything that is wrong with a sequence, without a running system.")
    .argument("<sequence.yaml>", "the sequence")
    .addOption(jsonOption())
    .action((file: string, options: { json?: true }, command: Command) => {
      const voice = voiceOf(context, settingsFor(context, command), options);
      const { name, brand, steps } = readSequenceFile(file);
      voice.tell([
        `sequence "${name}" is in order: ${countText(steps.length, "step")}, from ${steps[0]?.id ?? "nothing"} on`,
      ]);
      voice.json({ ok: true, name, brand, steps: steps.map(({ id }) => id) });
      context.finish(EXIT.ok);
    });
}
