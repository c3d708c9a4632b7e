import type { Api } from "../api/client.ts";
import type { CliCommand } from "../cli-command.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { countText } from "../view/words.ts";

/** Round for round, each behind the one before: what fails again meanwhile is not taken twice. */
async function retryAll({ retry }: Api["triggers"], name: string): Promise<{ retried: number }> {
  let retried = 0;
  let after: string | undefined;
  do {
    const round = await retry(name, { after });
    retried += round.retried;
    after = round.next_after ?? undefined;
  } while (after !== undefined);
  return { retried };
}

export function registerTriggerRetry(trigger: CliCommand): void {
  trigger
    .command("retry")
    .description("Works off again what failed, under the trigger's present definition.")
    .argument("<name>", "the trigger")
    .option("--id <id>", "only this delivery")
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string, options: { id?: string; json?: true }) => {
      const { id } = options;
      const result = await withRunningSystem(config, (api) =>
        id === undefined ? retryAll(api.triggers, name) : api.triggers.retryOne(id),
      );
      voice.tell([`${countText(result.retried, "delivery", "deliveries")} worked off again`]);
      voice.json(result);
    });
}
