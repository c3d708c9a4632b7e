import type { CliCommand } from "../cli-command.ts";
import { jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";
import { numberText } from "../view/words.ts";

interface ListOptions {
  brand?: string;
  limit: number;
  after?: string;
  uncounted?: true;
  json?: true;
}

export function registerSequenceList(sequence: CliCommand): void {
  sequence
    .command("list")
    .description("Lists sequences, by brand and name.")
    .option("--brand <brand>", "only those of one brand")
    .option("--limit <n>", "so many at most", wholeNumber(1, 100), 50)
    .option("--after <cursor>", "go on where the page before ended")
    .option("--uncounted", "do not count who is in them: that takes a pass over everybody who ever was")
    .addOption(jsonOption())
    .does(async ({ config, voice }, options: ListOptions) => {
      const { brand, limit, after, uncounted } = options;
      const query = { brand, limit, after, ...(uncounted && { counted: false }) };
      const page = await withRunningSystem(config, (api) => api.sequences.list(query));
      const rows = page.items.map((item) => [
        item.brand === "default" ? item.name : `${item.brand}/${item.name}`,
        String(item.version),
        item.enrolments === null ? "" : numberText(item.enrolments.active),
        item.enrolments === null ? "" : numberText(item.enrolments.done),
        item.state,
        item.id,
      ]);
      const header = ["sequence", "version", "in it", "through", "state", "id"];
      voice.present(listing("no sequences", header, rows, voice.colours, 3));
      if (page.next_after !== null)
        voice.tell([`${numberText(page.total)} in all; more: --after ${page.next_after}`]);
      voice.json(page);
    });
}
