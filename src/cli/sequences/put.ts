import type { CliCommand } from "../cli-command.ts";
import { warningLines } from "../context.ts";
import { jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { readSequenceFile } from "./sequence-file.ts";

export function registerSequencePut(sequence: CliCommand): void {
  sequence
    .command("put")
    .description("Writes a sequence down, or its next version. Those who are in it stay on theirs.")
    .argument("<sequence.yaml>", "the sequence")
    .option(
      "--if-version <n>",
      "only while this version is the newest; 0: only where there is none yet",
      wholeNumber(0, 1_000_000_000),
    )
    .addOption(jsonOption())
    .does(async ({ config, voice }, file: string, { ifVersion }: { ifVersion?: number }) => {
      const definition = readSequenceFile(file);
      const result = await withRunningSystem(config, (api) => api.sequences.put(definition, ifVersion));
      voice.tell([
        result.result === "same"
          ? `sequence "${result.name}" is like this already (version ${result.version})`
          : `sequence "${result.name}" has version ${result.version}${result.result === "created" ? `, its first (${result.id})` : ": new enrolments get it"}`,
        ...warningLines(voice, result.warnings),
      ]);
      voice.json(result);
    });
}
