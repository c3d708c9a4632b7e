import type { CliCommand } from "../cli-command.ts";
import type { SweepWire } from "../../http/wire/system.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { numberText } from "../view/words.ts";

const HELP = `
A running system does this by itself every few minutes. Nothing is dialed by it; a call that is up for longer
than any call is (2 hours) is ended.

Example:
  outdial sweep`;

export function registerSweep(program: CliCommand): void {
  program
    .command("sweep")
    .description("Looks for calls, batches and follow-ups whose end never came, and settles what it can.")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }) => {
      const report = await withRunningSystem(config, (api) => api.system.sweep());
      voice.tell(sweepLines(report));
      voice.json(report);
    });
}

/** What was found, in words: a line a kind. */
export function sweepLines({ found, detail }: Pick<SweepWire, "found" | "detail">): string[] {
  if (found === 0) return ["everything has its end, or is on its way to it"];
  return Object.entries(KINDS).flatMap(([kind, words]) => {
    const count = detail[kind];
    if (count === undefined) return [];
    const settled = detail[`${kind}_settled`] ?? 0;
    const woken = detail[`${kind}_woken`] ?? 0;
    const parts = [
      ...(settled > 0 ? [`${numberText(settled)} settled`] : []),
      ...(woken > 0 ? [`${numberText(woken)} told to go on`] : []),
    ];
    return [`${numberText(count)} ${words}${parts.length > 0 ? `: ${parts.join(", ")}` : ""}`];
  });
}

/** The kinds of chores/recovery/tally.ts. */
const KINDS: Readonly<Record<string, string>> = {
  calls_up: "calls without an end",
  calls_processing: "calls that were not processed in time",
  batches: "batches of which nothing was heard",
  follow_ups: "follow-ups beyond their time",
  enrolments: "enrolments that did not move on",
  deliveries: "deliveries that were not worked off",
  outbox: "accepted things that wait to be handed on",
};
