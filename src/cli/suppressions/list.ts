import type { CliCommand } from "../cli-command.ts";
import { jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";
import { momentText, numberText } from "../view/words.ts";

interface ListOptions {
  phone?: string;
  brand?: string;
  limit: number;
  after?: string;
  json?: true;
}

export function registerSuppressList(suppress: CliCommand): void {
  suppress
    .command("list")
    .description("Lists numbers that are not dialed, oldest first.")
    .option("--phone <phone>", "only this number")
    .option("--brand <brand>", "only what binds this brand")
    .option("--limit <n>", "so many at most", wholeNumber(1, 1_000), 100)
    .option("--after <cursor>", "go on where the page before ended")
    .addOption(jsonOption())
    .does(async ({ config, voice }, options: ListOptions) => {
      const { phone, brand, limit, after } = options;
      const page = await withRunningSystem(config, (api) =>
        api.suppressions.list({ phone, brand, limit, after }),
      );
      const rows = page.items.map((item) => [
        item.phone,
        item.brand ?? "every brand",
        item.source,
        momentText(item.created_at, Date.now()),
        item.expires_at === null ? "" : `until ${momentText(item.expires_at, Date.now())}`,
        item.reason,
      ]);
      voice.present(
        listing(
          // Somebody who is on a list is suppressed, too.
          page.listed_by.length > 0
            ? "no suppressions of its own"
            : phone === undefined
              ? "no suppressions of single numbers; lists of sources have theirs: `outdial suppress source list`"
              : "no suppressions",
          ["phone", "for", "source", "since", "", "reason"],
          rows,
          voice.colours,
        ),
      );
      voice.present(
        page.listed_by.map(
          ({ source, type, brand, since }) =>
            `on the list of ${source} (${type}, ${brand ?? "every brand"}) since ${momentText(since, Date.now())}`,
        ),
      );
      if (page.next_after !== null)
        voice.tell([`${numberText(page.total)} in all; more: --after ${page.next_after}`]);
      voice.json(page);
    });
}
