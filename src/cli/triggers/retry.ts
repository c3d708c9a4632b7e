import type { Command } from "commander";

import { voiceOf, type CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, settingsFor } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { countText } from "../view/words.ts";

export function registerTriggerRetry(trigger: Command, context: CliContext): void {
  trigger
    .command("retry")
    .description("Works off again what failed, under the trigger's present definition; a thousand at once.")
    .argument("<name>", "the trigger")
    .option("--id <id>", "only this delivery")
    .addOption(jsonOption())
    .action(async (name: string, options: { id?: string; json?: true }, command: Command) => {
      const config = settingsFor(context, command);
      const voice = voiceOf(context, config, options);
      const { id } = options;
      const result = await withRunningSystem(config, (api) =>
        id === undefined ? api.triggers.retry(name) : api.triggers.retryOne(id),
      );
      voice.tell([`${countText(result.retried, "delivery", "deliveries")} worked off again`]);
      voice.json(result);
      context.finish(EXIT.ok);
    });
}
