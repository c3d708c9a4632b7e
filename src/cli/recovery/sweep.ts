import type { Command } from "commander";

import type { SweepWire } from "../../http/wire/system.ts";
import { voiceOf, type CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, settingsFor } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { numberText } from "../view/words.ts";

const HELP = `
A running system does this by itself every few minutes. Nothing is dialed by it; a call that is up for longer
than any call is (2 hours) is ended.

Example:
  outdial sweep`;

export function registerSweep(program: Command, context: CliContext): void {
  program
    .command("sweep")
    .description("Looks for calls, batches and follow-ups whose end never came, and settles what it can.")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(async (options: { json?: true }, command: Command) => {
      const config = settingsFor(context, command);
      const voice = voiceOf(context, config, options);
      const report = await withRunningSystem(config, (api) => api.system.sweep());
      voice.tell(sweepLines(report));
      voice.json(report);
      context.finish(EXIT.ok);
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
