import { Option } from "commander";

import type { CliCommand } from "../cli-command.ts";
import { FOLLOW_UP_STATES, type FollowUpWire } from "../../http/wire/follow-ups.ts";
import { brandOption, jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { provenMoment } from "../view/local-times.ts";
import { listing } from "../view/report.ts";
import { numberText } from "../view/words.ts";

interface ListOptions {
  failed?: true;
  state?: string;
  campaign?: string;
  brand: string;
  phone?: string;
  limit: number;
  after?: string;
  json?: true;
}

export function registerFollowUpList(followUp: CliCommand): void {
  followUp
    .command("list")
    .description("Lists what follows calls, the newest first.")
    .option("--failed", "only those with an action that failed for good, or may have been done")
    .addOption(
      new Option("--state <state>", "only those in this state")
        .choices([...FOLLOW_UP_STATES])
        .conflicts("failed"),
    )
    .option("--campaign <campaign>", "only those of this campaign, by its id or name")
    .addOption(brandOption())
    .option("--phone <phone>", "only those of this number")
    .option("--limit <n>", "so many at most", wholeNumber(1, 500), 50)
    .option("--after <cursor>", "go on where the page before ended")
    .addOption(jsonOption())
    .does(async ({ config, voice }, options: ListOptions) => {
      const { state, failed, campaign, brand, phone, limit, after } = options;
      const page = await withRunningSystem(config, (api) =>
        api.followUps.list({ state, failed, campaign, brand, phone, limit, after }),
      );
      const rows = page.items.map((item) => [
        item.phone,
        item.campaign,
        item.disposition,
        stateText(item),
        item.rules?.join(", ") ?? "",
        provenMoment(item.created_at, item.zones),
        item.id,
      ]);
      const header = ["phone", "campaign", "call", "state", "rules", "since", "id"];
      voice.present(listing("no follow-ups", header, rows, voice.colours));
      if (page.next_after !== null)
        voice.tell([`${numberText(page.total)} in all; more: --after ${page.next_after}`]);
      voice.json(page);
    });
}

/** What has failed is told beside what goes on. */
function stateText({ state, failed_actions: failed }: FollowUpWire): string {
  return failed === 0 || state === "failed" ? state : `${state}, ${failed} failed`;
}
