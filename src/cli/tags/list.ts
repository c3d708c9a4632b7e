import { Option } from "commander";

import type { CliCommand } from "../cli-command.ts";
import { jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";
import { momentText, numberText } from "../view/words.ts";

interface ListOptions {
  brand: string;
  phone?: string;
  tag?: string;
  limit: number;
  after?: string;
  json?: true;
}

export function registerTagList(tag: CliCommand): void {
  tag
    .command("list")
    .description("Lists the words that follow-ups gave to people, by number.")
    .addOption(new Option("--brand <brand>", "whose tags they are").default("default"))
    .option("--phone <phone>", "only those of this number")
    .option("--tag <tag>", "only this word")
    .option("--limit <n>", "so many at most", wholeNumber(1, 1_000), 100)
    .option("--after <cursor>", "go on where the page before ended")
    .addOption(jsonOption())
    .does(async ({ config, voice }, options: ListOptions) => {
      const { brand, phone, tag: word, limit, after } = options;
      const page = await withRunningSystem(config, (api) =>
        api.tags.list({ brand, phone, tag: word, limit, after }),
      );
      const rows = page.items.map((item) => [
        item.phone,
        item.tag,
        item.source,
        momentText(item.at, Date.now()),
      ]);
      voice.present(listing("no tags", ["phone", "tag", "given by", "since"], rows, voice.colours));
      if (page.next_after !== null)
        voice.tell([`${numberText(page.total)} in all; more: --after "${page.next_after}"`]);
      voice.json(page);
    });
}
