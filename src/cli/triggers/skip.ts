import type { CliCommand } from "../cli-command.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";

export function registerTriggerSkip(trigger: CliCommand): void {
  trigger
    .command("skip")
    .description("Leaves a delivery that failed undone for good.")
    .argument("<id>", "the delivery, as `outdial trigger deliveries` shows it")
    .option("--reason <text>", "why, for the audit")
    .addOption(jsonOption())
    .does(async ({ config, voice }, id: string, { reason }: { reason?: string; json?: true }) => {
      const delivery = await withRunningSystem(config, (api) => api.triggers.skip(id, reason));
      voice.tell([`delivery ${id} of ${delivery.trigger} is left undone`]);
      voice.json(delivery);
    });
}
