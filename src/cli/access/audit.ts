import type { AuditEntryWire } from "../../http/wire/access.ts";
import type { CliCommand } from "../cli-command.ts";
import { instant, jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { printable } from "../view/printable.ts";
import { listing } from "../view/report.ts";

interface AuditOptions {
  json?: true;
  since?: string;
  until?: string;
  actor?: string;
  action?: string;
  campaign?: string;
  brand?: string;
  after?: string;
  limit: number;
}

export function registerAudit(program: CliCommand): void {
  program
    .command("audit")
    .description("Lists who did what, the newest first. Nothing of it can be changed or taken back.")
    .option("--since <time>", "from this moment on", instant)
    .option("--until <time>", "before this moment", instant)
    .option("--actor <name>", "only what somebody did: cli, engine, token:crm")
    .option("--action <word>", "only this, as the list names it")
    .option("--campaign <ref>", "only about this campaign, by its id or its name")
    .option("--brand <brand>", "only of this brand; and whose campaign a name is")
    .option("--after <cursor>", "go on where the page before ended")
    .option("--limit <n>", "so many at most", wholeNumber(1, 500), 50)
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  outdial audit --actor token:crm --since 2026-12-01T00:00:00Z")
    .does(async ({ config, voice }, { campaign, json: _json, ...asked }: AuditOptions) => {
      const page = await withRunningSystem(config, async (api) => {
        const found =
          campaign === undefined
            ? undefined
            : (await api.campaigns.get(campaign, asked.brand ?? "default")).id;
        return api.access.audit({ ...asked, campaign: found });
      });
      const rows = page.items.map((entry) => [
        String(entry.id),
        entry.at,
        whoText(entry),
        entry.action,
        detailText(entry),
      ]);
      voice.present(
        listing("nothing of that kind was done", ["id", "at", "who", "what", ""], rows, voice.colours),
      );
      if (page.next_after !== null) voice.tell([`more: --after ${page.next_after}`]);
      voice.json(page);
    });
}

function whoText({ actor, on_behalf_of: other }: AuditEntryWire): string {
  return printable(other === null ? actor : `${actor} for ${other}`);
}

/** A line is read, and its whole is with --json. */
const LONGEST_DETAIL_CHARS = 200;

function detailText({ detail, campaign_id: campaign }: AuditEntryWire): string {
  const facts = { ...(campaign !== null && { campaign }), ...detail };
  const text = Object.entries(facts)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
  return printable(text.length > LONGEST_DETAIL_CHARS ? `${text.slice(0, LONGEST_DETAIL_CHARS)}...` : text);
}
