import type { CliCommand } from "../cli-command.ts";
import { jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { daysText } from "./add.ts";

export function registerBlackoutRemove(blackout: CliCommand): void {
  blackout
    .command("remove")
    .grave()
    .description("Takes a blackout back: people may be called on its days again. What was, and why, is kept.")
    .argument("<id>", "its number in the list", wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .requiredOption("--reason <text>", "why; it is kept for good")
    .addOption(jsonOption())
    .does(async ({ config, voice }, id: number, { reason }: { reason: string }) => {
      const result = await withRunningSystem(config, (api) => api.blackouts.remove(id, reason));
      voice.tell([`people may be called again on ${daysText(result.removed)}`]);
      voice.json(result);
    });
}
