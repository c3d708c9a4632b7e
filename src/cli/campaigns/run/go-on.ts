import type { Logger } from "pino";

import type { CliCommand } from "../../cli-command.ts";
import type { GoOnWire } from "../../../http/wire/system.ts";
import { ACTOR } from "../../api/transport.ts";
import type { CliContext } from "../../context.ts";
import { CliError } from "../../errors.ts";
import { EXIT } from "../../exit-codes.ts";
import { jsonOption } from "../../options.ts";
import { SWITCH_WITHIN_MS, withLedgerAtHand } from "../../ledger-at-hand.ts";
import type { OpenedLedger } from "../../../open-ledger.ts";

export function registerGoOn(program: CliCommand, context: CliContext): void {
  program
    .command("go-on")
    .grave()
    .description("Lifts `stop-all`: campaigns that are running dial again. The reason is kept.")
    .requiredOption("--reason <text>", "why dialing may go on")
    .addOption(jsonOption())
    .addHelpText("after", '\nExample:\n  outdial go-on --reason "the list was corrected"')
    .does(async ({ config, voice }, options: { reason: string; json?: true }) => {
      const say = (message: string) => voice.screen.say(message);
      const result = await withLedgerAtHand(context, config, say, {
        ask: (api) => api.system.goOn(options.reason, { answerWithinMs: SWITCH_WITHIN_MS }),
        here: (opened, log) => goOnHere(opened, log, options.reason),
      });
      voice.tell([result.was_stopped ? "dialing goes on" : "nothing was stopped; dialing goes on as it did"]);
      voice.json(result);
    });
}

/** Whoever dials reads it in the ledger. */
async function goOnHere({ ledger }: OpenedLedger, log: Logger, given: string): Promise<GoOnWire> {
  try {
    const { reasonText } = await import("../../../http/wire/text.ts");
    const reason = reasonText("is needed").safeParse(given);
    if (!reason.success)
      throw new CliError(
        `--reason ${reason.error.issues[0]?.message ?? "is needed"}: say why dialing may go on`,
        EXIT.badInput,
      );
    const { goOn } = await import("../../../ledger/ground/installation.ts");
    const input = { actor: ACTOR, reason: reason.data, nowMs: Date.now() };
    const { wasStopped } = await ledger.urgent.transaction((tx) => goOn(tx, input));
    if (wasStopped) log.info({ actor: ACTOR, reason: reason.data }, "dialing goes on");
    return { stopped: false, was_stopped: wasStopped };
  } finally {
    await ledger.close();
  }
}
