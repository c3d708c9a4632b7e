import type { CliCommand } from "../cli-command.ts";
import { jsonOption, regionOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { scopeOption, type ScopeOptions } from "./scope.ts";

export function registerSuppressRemove(suppress: CliCommand): void {
  suppress
    .command("remove")
    .description("Takes a number's suppression back. What was, and why, is kept.")
    .argument("<phone>", "the number")
    .requiredOption("--reason <text>", "why; it is kept for good")
    .addOption(scopeOption())
    .addOption(regionOption())
    .addOption(jsonOption())
    .does(async ({ config, voice }, phone: string, options: ScopeOptions & { reason: string }) => {
      const { brand, reason, defaultRegion } = options;
      const removed = await withRunningSystem(config, (api) =>
        api.suppressions.remove({ phone, brand, reason, defaultRegion }),
      );
      voice.tell([`${removed.phone} may be dialed again${brand === undefined ? "" : ` for ${brand}`}`]);
      voice.json(removed);
    });
}
