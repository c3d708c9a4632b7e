import type { Command } from "commander";

import { voiceOf, type CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, regionOption, settingsFor } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { scopeOption, type ScopeOptions } from "./scope.ts";

export function registerSuppressRemove(suppress: Command, context: CliContext): void {
  suppress
    .command("remove")
    .description("Takes a number's suppression back. What was, and why, is kept.")
    .argument("<phone>", "the number")
    .requiredOption("--reason <text>", "why; it is kept for good")
    .addOption(scopeOption())
    .addOption(regionOption())
    .addOption(jsonOption())
    .action(async (phone: string, options: ScopeOptions & { reason: string }, command: Command) => {
      const config = settingsFor(context, command);
      const voice = voiceOf(context, config, options);
      const { brand, reason, defaultRegion } = options;
      const removed = await withRunningSystem(config, (api) =>
        api.suppressions.remove({ phone, brand, reason, defaultRegion }),
      );
      voice.tell([`${removed.phone} may be dialed again${brand === undefined ? "" : ` for ${brand}`}`]);
      voice.json(removed);
      context.finish(EXIT.ok);
    });
}
