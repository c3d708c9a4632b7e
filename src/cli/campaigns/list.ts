import type { CliCommand } from "../cli-command.ts";
import { jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";
import { momentText, numberText } from "../view/words.ts";

interface ListOptions {
  open?: true;
  standing?: true;
  archived?: true;
  brand?: string;
  limit: number;
  after?: string;
  json?: true;
}

export function registerCampaignList(campaign: CliCommand): void {
  campaign
    .command("list")
    .description("Lists campaigns, newest first.")
    .option("--open", "only those that are not over")
    .option("--standing", "also those that sequences and callbacks place their calls into")
    .option("--archived", "only those that are archived; without it, only others")
    .option("--brand <brand>", "only those of one brand")
    .option("--limit <n>", "so many at most", wholeNumber(1, 500), 50)
    .option("--after <cursor>", "go on where the page before ended")
    .addOption(jsonOption())
    .does(async ({ config, voice }, options: ListOptions) => {
      const { limit, after, brand, open = false, standing = false, archived = false } = options;
      const page = await withRunningSystem(config, (api) =>
        api.campaigns.list({ brand, limit, after, open, standing, archived }),
      );
      const rows = page.items.map(({ name, run, brand, state, contacts, attempts, created_at, id }) => [
        brand === "default" ? name : `${brand}/${name}`,
        String(run),
        state,
        `${numberText(contacts.done + contacts.excluded)} of ${numberText(contacts.total)}`,
        numberText(attempts),
        momentText(created_at, Date.now()),
        id,
      ]);
      const header = ["campaign", "run", "state", "through", "calls", "created", "id"];
      voice.present(listing("no campaigns", header, rows, voice.colours, 1));
      if (page.next_after !== null)
        voice.tell([`${numberText(page.total)} in all; more: --after ${page.next_after}`]);
      voice.json(page);
    });
}
