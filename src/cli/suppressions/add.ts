import { Option } from "commander";

import type { CliCommand } from "../cli-command.ts";
import { instant, jsonOption, regionOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { countText } from "../view/words.ts";
import { scopeOption, stoppedText, type ScopeOptions } from "./scope.ts";

interface AddOptions extends ScopeOptions {
  reason: string;
  expires?: string;
}

export function registerSuppressAdd(suppress: CliCommand): void {
  suppress
    .command("add")
    .description("Numbers that are not dialed from now on; batches that are dialing one of them are stopped.")
    .argument("<phone...>", "numbers")
    .requiredOption("--reason <text>", "why; it is kept for good")
    .addOption(scopeOption())
    .addOption(regionOption())
    .addOption(
      new Option(
        "--expires <time>",
        "until when, as in 2027-01-31T00:00:00Z; without it, for good",
      ).argParser(instant),
    )
    .addOption(jsonOption())
    .addHelpText("after", '\nExample:\n  outdial suppress add +12025550143 --reason "asked on the phone"')
    .does(async ({ config, voice }, phones: string[], options: AddOptions) => {
      const { brand, reason, expires, defaultRegion } = options;
      const entries = phones.map((phone) => ({ phone, brand, reason, expires_at: expires }));
      const result = await withRunningSystem(config, (api) => api.suppressions.add(entries, defaultRegion));
      voice.tell([
        `${countText(result.added, "number")} suppressed${result.already > 0 ? `, ${result.already} were already` : ""}${stoppedText(result.stopped_batches)}`,
      ]);
      voice.json(result);
    });
}
