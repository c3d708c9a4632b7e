import type { Command } from "commander";

import { stopReasonOf } from "../domain/stop-form.ts";
import type { StopAllWire } from "../http/wire/system.ts";
import type { Api } from "./api/client.ts";
import { inFlightText } from "./campaign/control.ts";
import { voiceOf, type CliContext } from "./context.ts";
import { EXIT } from "./exit-codes.ts";
import { jsonOption, settingsFor } from "./options.ts";
import { withSystemAtHand } from "./system-at-hand.ts";

const HELP = `
From its answer on nobody is dialed for any campaign, until somebody goes on with a reason (\`outdial go-on\`).
Works without Temporal and without a worker; where no system runs, it starts one that dials nobody.

Example:
  outdial stop-all --reason "wrong list"`;

/** Where nobody says more. */
const REASON = "outdial stop-all";

export function registerStopAll(program: Command, context: CliContext): void {
  program
    .command("stop-all")
    .description(
      "Stops all dialing of every campaign: no new call begins, calls that are up end by themselves.",
    )
    // A variable that is not set leaves it empty: that is no reason to go on dialing.
    .option("--reason [text]", "why; it is kept", REASON)
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(async (options: { reason: string | true; json?: true }, command: Command) => {
      const reason = stopReasonOf(options.reason, REASON);
      const config = settingsFor(context, command);
      const voice = voiceOf(context, config, options);
      const say = (message: string) => voice.screen.say(message);
      const result = await withSystemAtHand(context, config, say, async (api, isOurs) => {
        const answer = await api.system.stopAll(reason);
        return isOurs ? goOnStopping(api, reason, answer) : answer;
      });
      voice.tell([
        "everything is stopped",
        inFlightText(result.in_flight),
        ...waitingText(result.waiting),
        'go on with: outdial go-on --reason "..."',
      ]);
      voice.json(result);
      context.finish(EXIT.ok);
    });
}

/** A running system goes on stopping by itself; one that ends with this command does for so long. */
const OWN_WITHIN_MS = 30_000;

async function goOnStopping(api: Api, reason: string, first: StopAllWire): Promise<StopAllWire> {
  const untilMs = Date.now() + OWN_WITHIN_MS;
  let answer = first;
  // Each asking takes seconds of its own where something is left.
  while (answer.in_flight.uncertain + answer.waiting.length > 0 && Date.now() < untilMs)
    answer = await api.system.stopAll(reason);
  return answer;
}

/** At most so many names: nobody reads more of them. */
const NAMES_SHOWN = 5;

function waitingText(waiting: StopAllWire["waiting"]): string[] {
  if (waiting.length === 0) return [];
  const names = waiting.slice(0, NAMES_SHOWN).map(({ name }) => `"${name}"`);
  const more = waiting.length > NAMES_SHOWN ? ` and ${waiting.length - NAMES_SHOWN} more` : "";
  return [
    `something else holds on to ${names.join(", ")}${more}: no call of theirs begins either, and their batches are written down as stopped as soon as they are free`,
  ];
}
