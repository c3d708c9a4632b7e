import type { CliCommand } from "../cli-command.ts";
import type { CliContext } from "../context.ts";
import { jsonOption } from "../options.ts";
import { followOne, type FollowLine } from "./follow.ts";
import { talk, type TalkOptions } from "./talk.ts";

/** Commands that hold several operations together, of the resources that have such. */
export function registerLive(group: CliCommand, context: CliContext, resource: string): void {
  if (resource === "batchCalls") registerFollow(group, context);
  if (resource === "chat") registerTalk(group, context);
}

function registerFollow(group: CliCommand, context: CliContext): void {
  const command = group
    .command("follow")
    .here()
    .summary("Show a batch's stream live, until the batch is over")
    .description("Shows a batch's stream live, and what the batch is, until it is over. Changes nothing.")
    .argument("<batch_id>")
    .addOption(jsonOption());
  command.does(({ config, voice }, batchId: string) =>
    followOne(context, config, voice, batchId, command.opts<FollowLine>()),
  );
}

function registerTalk(group: CliCommand, context: CliContext): void {
  const command = group
    .command("talk")
    .here()
    .summary("Talk with an agent: a line is a message")
    .description(
      "Holds a conversation with a published agent: a line is a message, until the agent, the end of the input or Ctrl-C ends it.",
    )
    .argument("<agent_id>")
    .option("--draft", "the agent may be a draft: a test session")
    .option("--room", "in a room, over livekit; needs @livekit/rtc-node")
    .option("--variable <name=value>", "for the agent's prompt; any number of them", gathered)
    .addOption(jsonOption());
  command.does(({ config, voice }, agentId: string) =>
    talk(context, config, voice, agentId, command.opts<TalkOptions>()),
  );
}

function gathered(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
