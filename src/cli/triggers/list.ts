import type { CliCommand } from "../cli-command.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";
import { countText, momentText } from "../view/words.ts";

export function registerTriggerLists(trigger: CliCommand): void {
  trigger
    .command("list")
    .description("Lists triggers by name.")
    .addOption(jsonOption())
    .does(async ({ config, voice }) => {
      const found = await withRunningSystem(config, (api) => api.triggers.list());
      const rows = found.items.map((item) => [
        item.name,
        item.enabled ? "enabled" : "disabled",
        String(item.version),
        momentText(item.updated_at, Date.now()),
        item.path,
      ]);
      const header = ["trigger", "", "version", "changed", "path"];
      voice.present(listing("no triggers", header, rows, voice.colours));
      voice.json(found);
    });

  trigger
    .command("show")
    .description("Shows a trigger with its definition.")
    .argument("<name>", "the trigger")
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string) => {
      const found = await withRunningSystem(config, (api) => api.triggers.get(name));
      const failed = found.failed_deliveries;
      const { stringify } = await import("yaml");
      voice.present([
        `${found.enabled ? "enabled" : "disabled"}, version ${found.version}, at ${found.path}`,
        ...(failed > 0
          ? [
              `${countText(failed, "delivery", "deliveries")} failed: outdial trigger deliveries ${name} --state failed`,
            ]
          : []),
        ...found.warnings.map((warning) => voice.colours.yellow(`warning: ${warning}`)),
        stringify(found.definition).trimEnd(),
      ]);
      voice.json(found);
    });
}
