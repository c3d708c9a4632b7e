import { Option } from "commander";

import type { CliCommand } from "../cli-command.ts";
import type { EnrolmentSummaryWire } from "../../http/wire/sequences.ts";
import { jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { provenMoment } from "../view/local-times.ts";
import { listing } from "../view/report.ts";
import { numberText } from "../view/words.ts";
import { sequenceBrandOption } from "./options.ts";

interface EnrolmentsOptions {
  brand: string;
  state?: string;
  step?: string;
  outcome?: string;
  phone?: string;
  limit: number;
  after?: string;
  json?: true;
}

export function registerSequenceEnrolments(sequence: CliCommand): void {
  sequence
    .command("enrolments")
    .description("Lists who is or was in a sequence, newest first.")
    .argument("<sequence>", "its name or id")
    .addOption(sequenceBrandOption())
    .addOption(new Option("--state <state>", "only those in this state").choices(["active", "done"]))
    .option("--step <step>", "only those at this step")
    .option("--outcome <outcome>", "only those who came to this")
    .option("--phone <number>", "only those of this number, with +")
    .option("--limit <n>", "so many at most", wholeNumber(1, 500), 50)
    .option("--after <cursor>", "go on where the page before ended")
    .addOption(jsonOption())
    .does(async ({ config, voice }, ref: string, options: EnrolmentsOptions) => {
      const { brand, state, step, outcome, phone, limit, after } = options;
      const page = await withRunningSystem(config, (api) =>
        api.sequences.enrolments(ref, { brand, state, step, outcome, phone, limit, after }),
      );
      const rows = page.items.map(enrolmentRow);
      const header = ["person", "state", "step", "enrolled", "goes on", "id"];
      voice.present(listing("nobody", header, rows, voice.colours));
      if (page.next_after !== null)
        voice.tell([`${numberText(page.total)} in all; more: --after ${page.next_after}`]);
      voice.json(page);
    });
}

/** Pure. When somebody goes on is a time of that person's day. */
export function enrolmentRow(item: EnrolmentSummaryWire): string[] {
  const when = (iso: string) => provenMoment(iso, item.zones);
  return [
    item.phone,
    item.outcome ?? (item.paused ? "paused" : item.started_at === null ? "not begun" : "active"),
    item.step ?? "",
    when(item.created_at),
    item.wake_at === null ? "" : `${item.awaits_call ? "gives up " : ""}${when(item.wake_at)}`,
    item.id,
  ];
}
