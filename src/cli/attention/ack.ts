import { Argument } from "commander";

import type { CliCommand } from "../cli-command.ts";
import { jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { momentText } from "../view/words.ts";

export function registerAttentionAck(attention: CliCommand): void {
  attention
    .command("ack")
    .description(
      "Says that somebody looks after an entry. It stays on the list; routes tell that, and remind nobody of it meanwhile.",
    )
    .addArgument(
      new Argument("<id>", "as `outdial attention list` shows it").argParser(
        wholeNumber(1, Number.MAX_SAFE_INTEGER),
      ),
    )
    .option("--by <name>", "who looks after it; without it, whoever is named as the actor")
    .option("--for <duration>", "for how long, such as 4h; without it, for as long as it is there")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  outdial attention ack 17 --by ann --for 4h")
    .does(async ({ config, voice }, id: number, options: { by?: string; for?: string; json?: true }) => {
      const { by, for: duration } = options;
      const entry = await withRunningSystem(config, (api) =>
        api.attention.acknowledge(id, { by, for: duration }),
      );
      const until =
        entry.acknowledged_until === null ? "" : ` until ${momentText(entry.acknowledged_until, Date.now())}`;
      voice.tell([
        entry.resolved_at === null
          ? `${entry.id} is looked after by ${entry.acknowledged_by ?? "you"}${until}; it leaves the list when it is over, or by \`outdial attention resolve ${entry.id}\``
          : `${entry.id} is off the list already: ${entry.resolution ?? ""} (${entry.resolved_by ?? ""})`,
      ]);
      voice.json(entry);
    });
}
