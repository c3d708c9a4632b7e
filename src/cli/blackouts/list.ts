import type { CliCommand } from "../cli-command.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";

export function registerBlackoutList(blackout: CliCommand): void {
  blackout
    .command("list")
    .description("Lists the dates on which nobody is called, as far as they are not over.")
    .option("--brand <brand>", "only what binds this brand")
    .addOption(jsonOption())
    .does(async ({ config, voice }, { brand }: { brand?: string }) => {
      const { items } = await withRunningSystem(config, (api) => api.blackouts.list({ brand }));
      const rows = items.map((item) => [
        String(item.id),
        item.from,
        item.to === item.from ? "" : item.to,
        item.brand ?? "every brand",
        item.name,
      ]);
      voice.present(listing("no blackouts", ["id", "from", "to", "for", "name"], rows, voice.colours));
      voice.json({ items });
    });
}
