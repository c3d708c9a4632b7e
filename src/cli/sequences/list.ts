import type { CliCommand } from "../cli-command.ts";
import { jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";
import { numberText } from "../view/words.ts";

interface ListOptions {
  brand?: string;
  limit: number;
  skip: number;
  json?: true;
}

export function registerSequenceList(sequence: CliCommand): void {
  sequence
    .command("list")
    .description("Lists sequences, by brand and name.")
    .option("--brand <brand>", "only those of one brand")
    .option("--limit <n>", "so many at most", wholeNumber(1, 100), 50)
    .option("--skip <n>", "pass over so many", wholeNumber(0, 1_000_000), 0)
    .addOption(jsonOption())
    .does(async ({ config, voice }, options: ListOptions) => {
      const { brand, limit, skip } = options;
      const page = await withRunningSystem(config, (api) => api.sequences.list({ brand, limit, skip }));
      const rows = page.items.map((item) => [
        item.brand === "default" ? item.name : `${item.brand}/${item.name}`,
        String(item.version),
        numberText(item.enrolments.active),
        numberText(item.enrolments.done),
        item.state,
        item.id,
      ]);
      const header = ["sequence", "version", "in it", "through", "state", "id"];
      voice.present(listing("no sequences", header, rows, voice.colours, 3));
      const left = page.total - skip - rows.length;
      if (left > 0) voice.tell([`and ${numberText(left)} more: --skip ${skip + rows.length}`]);
      voice.json(page);
    });
}
