import type { Command } from "commander";

import { voiceOf, warningLines, type CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, settingsFor } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { readSequenceFile } from "./sequence-file.ts";

export function registerSequencePut(sequence: Command, context: CliContext): void {
  sequence
    .command("put")
    .description("Writes a sequence down, or its next version. Those who are in it stay on theirs.")
    .argument("<sequence.yaml>", "the sequence")
    .addOption(jsonOption())
    .action(async (file: string, options: { json?: true }, command: Command) => {
      const config = settingsFor(context, command);
      const voice = voiceOf(context, config, options);
      const definition = readSequenceFile(file);
      const result = await withRunningSystem(config, (api) => api.sequences.put(definition));
      voice.tell([
        result.result === "same"
          ? `sequence "${result.name}" is like this already (version ${result.version})`
          : `sequence "${result.name}" has version ${result.version}${result.result === "created" ? `, its first (${result.id})` : ": new enrolments get it"}`,
        ...warningLines(voice, result.warnings),
      ]);
      voice.json(result);
      context.finish(EXIT.ok);
    });
}
