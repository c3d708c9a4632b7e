import type { CliCommand } from "./cli-command.ts";
import { stopReasonOf } from "../domain/campaigns/stop-form.ts";
import type { StopAllWire } from "../http/wire/system.ts";
import type { CliContext } from "./context.ts";
import { systemOf } from "./contexts/grave.ts";
import { EXIT } from "./exit-codes.ts";
import { jsonOption } from "./options.ts";
import { goOnText, placeIn } from "./hints.ts";
import { SWITCH_WITHIN_MS, withLedgerAtHand } from "./ledger-at-hand.ts";
import type { Stopped } from "./stop-here.ts";
import { inFlightText } from "./view/words.ts";

const HELP = `
From its answer on nobody is dialed for any campaign, until somebody goes on with a reason (\`outdial go-on\`).
Works without Temporal and without a worker. Where no system runs on the ledger, the stop is written into it from
here; to pause what may be dialing, that takes PLATFORM_BASE_URL and PLATFORM_API_KEY. It fails where something may
be dialing and could not be paused for want of them: the stop is in force all the same.

Example:
  outdial stop-all --reason "wrong list"`;

/** Where nobody says more. */
const REASON = "outdial stop-all";

export function registerStopAll(program: CliCommand, context: CliContext): void {
  program
    .command("stop-all")
    .grave({ asks: false })
    .description(
      "Stops all dialing of every campaign: no new call begins, calls that are up end by themselves.",
    )
    // A variable that is not set leaves it empty: that is no reason to go on dialing.
    .option("--reason [text]", "why; it is kept", REASON)
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, options: { reason: string | true; json?: true }) => {
      const reason = stopReasonOf(options.reason, REASON);
      const say = (message: string) => voice.screen.say(message);
      const { unpaused, ...result } = await withLedgerAtHand<Stopped>(context, config, say, {
        ask: (api) => api.system.stopAll(reason, { answerWithinMs: SWITCH_WITHIN_MS }),
        here: async (opened, log) =>
          (await import("./stop-here.ts")).stopHere(context, { config, opened, log, reason, say }),
      });
      voice.tell([
        `everything is stopped in ${systemOf(config)}`,
        inFlightText(result.in_flight),
        ...waitingText(result.waiting),
        ...(unpaused === undefined ? [] : [unpausedText(unpaused)]),
        `go on with: ${goOnText(placeIn(config))}`,
      ]);
      voice.json(result);
      return unpaused === undefined ? EXIT.ok : EXIT.failed;
    });
}

function unpausedText(why: string): string {
  return `batches that may be dialing could not be paused from here (${why}): every server and worker that runs pauses them as it reads the stop, within seconds. Where none runs, set what is missing and run this again`;
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
