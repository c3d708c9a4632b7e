import type { AuditedWire } from "../../http/wire/audit.ts";
import type { CliCommand } from "../cli-command.ts";
import { brandOption, jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { momentText } from "../view/words.ts";

interface ListOptions {
  campaign?: string;
  brand: string;
  action?: string;
  limit: number;
  before?: number;
  json?: true;
}

/** Whole specs stand in some; whoever wants all of one asks for JSON. */
const MOST_SHOWN = 300;

export function registerAuditList(audit: CliCommand): void {
  audit
    .command("list")
    .description("Lists who did what, the newest first: commands of people, and decisions of the engine.")
    .option("--campaign <campaign>", "only what is about this one, by its name or id")
    .addOption(brandOption())
    .option("--action <action>", "only this, such as campaign.amend")
    .option("--limit <n>", "so many at most", wholeNumber(1, 1_000), 50)
    .option(
      "--before <id>",
      "go on with what is older than this entry",
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
    )
    .addOption(jsonOption())
    .does(async ({ config, voice }, options: ListOptions) => {
      const { campaign, brand, action, limit, before } = options;
      const page = await withRunningSystem(config, (api) =>
        api.audit.list({ campaign, brand, action, limit, before_id: before }),
      );
      const nowMs = Date.now();
      voice.tell(
        page.items.length === 0
          ? ["nothing of it was written down"]
          : page.items.flatMap((item) => auditedLines(item, nowMs)),
      );
      if (page.next_before_id !== null) voice.tell([`older: --before ${page.next_before_id}`]);
      voice.json(page);
    });
}

function auditedLines({ id, at, actor, action, campaign, detail }: AuditedWire, nowMs: number): string[] {
  const about = campaign === null ? "" : `  ${campaign.name} (run ${campaign.run})`;
  return [
    `${id}  ${momentText(at, nowMs)}  ${action}${about}  by ${actor}`,
    ...Object.entries(detail).flatMap(([name, value]) => {
      if (value === null || value === undefined) return [];
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return [
        `    ${name}: ${text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}… (--json has all)`}`,
      ];
    }),
  ];
}
