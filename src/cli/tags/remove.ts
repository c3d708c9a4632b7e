import { Option } from "commander";

import type { CliCommand } from "../cli-command.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";

interface RemoveOptions {
  brand: string;
  reason?: string;
  json?: true;
}

export function registerTagRemove(tag: CliCommand): void {
  tag
    .command("remove")
    .description("Takes a word from a number. A follow-up may give it again.")
    .argument("<phone>", "the number, with +")
    .argument("<tag>", "the word")
    .addOption(new Option("--brand <brand>", "whose tags they are").default("default"))
    .option("--reason <text>", "why; it is kept for good")
    .addOption(jsonOption())
    .does(async ({ config, voice }, phone: string, word: string, options: RemoveOptions) => {
      const { brand, reason } = options;
      const removed = await withRunningSystem(config, (api) =>
        api.tags.remove({ brand, phone, tag: word, reason }),
      );
      voice.tell([`${removed.phone} has the tag "${removed.tag}" no more`]);
      voice.json(removed);
    });
}
