import type { CliCommand } from "../cli-command.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { countText } from "../view/words.ts";

export function registerTriggerRetry(trigger: CliCommand): void {
  trigger
    .command("retry")
    .description("Works off again what failed, under the trigger's present definition; a thousand at once.")
    .argument("<name>", "the trigger")
    .option("--id <id>", "only this delivery")
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string, options: { id?: string; json?: true }) => {
      const { id } = options;
      const result = await withRunningSystem(config, (api) =>
        id === undefined ? api.triggers.retry(name) : api.triggers.retryOne(id),
      );
      voice.tell([`${countText(result.retried, "delivery", "deliveries")} worked off again`]);
      voice.json(result);
    });
}
