import type { CliCommand } from "../cli-command.ts";
import type { ActionWire } from "../../http/wire/follow-ups.ts";
import { idArgument, jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import type { Api } from "../api/client.ts";

interface CommandOptions {
  reason?: string;
  at?: string;
  asNew?: true;
  json?: true;
}

/** What people tell single actions, of follow-ups and of steps of sequences. */
export function registerFollowUpCommands(followUp: CliCommand): void {
  register(followUp, {
    name: "retry",
    description:
      "Tries an action now that failed, with a new round of tries, or that waits for its next try.",
    told: "is tried again",
    tell: (api, id, { reason, at }) => api.followUps.retry(id, reason, at),
  }).option(
    "--at <time>",
    'of a callback: when, such as "2026-12-01 10:00" by the clocks of whom it is for, or with an offset',
  );
  register(followUp, {
    name: "skip",
    description: "Lets an action be. Those behind it go on.",
    told: "is skipped",
    tell: (api, id, { reason }) => api.followUps.skip(id, reason),
  });
  register(followUp, {
    name: "replay",
    description: "Does an action again that was done. Receivers see the same id, and may leave it at that.",
    told: "is done again",
    tell: (api, id, { reason, asNew = false }) => api.followUps.replay(id, reason, asNew),
  }).option("--as-new", "under an id of its own, so that receivers take it for something new");
}

interface ActionCommand {
  name: string;
  description: string;
  told: string;
  tell: (api: Api, id: string, options: CommandOptions) => Promise<ActionWire>;
}

function register(followUp: CliCommand, { name, description, told, tell }: ActionCommand): CliCommand {
  return followUp
    .command(name)
    .description(description)
    .argument("<action>", "its id, as `outdial follow-up show` has it", idArgument)
    .option("--reason <text>", "why; it is kept for good")
    .addOption(jsonOption())
    .does(async ({ config, voice }, id: string, options: CommandOptions) => {
      const action = await withRunningSystem(config, (api) => tell(api, id, options));
      voice.tell([`${action.kind} of ${action.owner} ${told}`]);
      voice.json(action);
    });
}
