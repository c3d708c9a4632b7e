import { Option } from "commander";

import type { CliCommand } from "../cli-command.ts";
import { ATTENTION_KINDS, type AttentionKind } from "../../domain/ground/attention.ts";
import { jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { momentText, numberText } from "../view/words.ts";

interface ListOptions {
  kind?: AttentionKind;
  brand?: string;
  all?: true;
  limit: number;
  after?: string;
  json?: true;
}

export function registerAttentionList(attention: CliCommand): void {
  attention
    .command("list")
    .description("Lists what waits for a person, oldest first, each with what can be done about it.")
    .addOption(new Option("--kind <kind>", "only this kind").choices(ATTENTION_KINDS))
    .option("--brand <brand>", "only this brand's")
    .option("--all", "those that were dealt with, too")
    .option("--limit <n>", "so many at most", wholeNumber(1, 1_000), 100)
    .option("--after <cursor>", "go on where the page before ended")
    .addOption(jsonOption())
    .does(async ({ config, voice }, options: ListOptions) => {
      const { kind, brand, all = false, limit, after } = options;
      const page = await withRunningSystem(config, (api) =>
        api.attention.list({ kind, brand, resolved: all, limit, after }),
      );
      const nowMs = Date.now();
      voice.present(
        page.items.length === 0
          ? ["nothing waits for you"]
          : page.items.flatMap((item) => [
              `${item.id}  ${item.kind}  since ${momentText(item.at, nowMs)}${item.times > 1 ? `, ${numberText(item.times)} times` : ""}`,
              `    ${item.summary}`,
              ...(item.resolved_at === null && item.acknowledged_by !== null
                ? [`    seen to by ${item.acknowledged_by}${untilText(item.acknowledged_until, nowMs)}`]
                : []),
              item.resolved_at === null
                ? `    to do: ${item.remedy}`
                : `    dealt with ${momentText(item.resolved_at, nowMs)} by ${item.resolved_by ?? ""}: ${item.resolution ?? ""}`,
            ]),
      );
      if (page.next_after !== null)
        voice.tell([`${numberText(page.total)} in all; more: --after ${page.next_after}`]);
      voice.json(page);
    });
}

function untilText(until: string | null, nowMs: number): string {
  return until === null ? "" : ` until ${momentText(until, nowMs)}`;
}
