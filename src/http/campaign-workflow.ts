import { WorkflowNotFoundError, WorkflowUpdateFailedError, type Client } from "@temporalio/client";
import { ActivityFailure, ApplicationFailure } from "@temporalio/common";
import type { UpdateDefinition } from "@temporalio/common";

import { objectionTo, type CampaignCommand, type CampaignState } from "../domain/campaigns/campaign-state.ts";
import { readCampaign, type Campaign } from "../ledger/campaigns/campaigns.ts";
import { wasGiven } from "../ledger/campaigns/commands.ts";
import { ensureCampaign } from "../temporal/reconciler.ts";
import { temporalWords } from "../temporal/words.ts";
import { campaignWorkflowId } from "../temporal/workflow-ids.ts";
import type { HttpDeps } from "./deps.ts";
import { Problem } from "./problem.ts";

/*
 * An amendment goes through the campaign's workflow, which answers when it has taken effect. Whether it fits is decided
 * in the ledger; what is asked here first only makes the refusal quick. Stopping and going on need no workflow.
 */

/** What a halt may take at most (batches that are starting, a platform that is slow to pause), and some more. */
const ANSWER_WITHIN_MS = 60_000;

/** A start is durable in the ledger before Temporal is asked: not worth a long wait. */
const START_WITHIN_MS = 10_000;

export interface Telling<Input extends { commandId: string; request?: string }, Result> {
  campaign: Campaign;
  command: CampaignCommand;
  update: UpdateDefinition<Result, [Input]>;
  input: Input;
}

/**
 * Gives a command and waits, bounded, until it has taken effect.
 *
 * @throws RequestReusedError where another command was given under its id. Problem 409 where it does not fit the campaign's state, 503 where Temporal or its worker did not
 * answer: it may or may not have been taken, and the same command id gives the same command again.
 */
export async function tellCampaign<Input extends { commandId: string; request?: string }, Result>(
  deps: HttpDeps,
  { campaign, command, update, input }: Telling<Input, Result>,
): Promise<Result> {
  await wasGiven(deps.ledger.db, { campaignId: campaign.id, ...input });
  refuseUnfit(command, campaign.state);
  const { client } = deps;
  try {
    return await within(client, ANSWER_WITHIN_MS, async () => {
      if ((await ensureCampaign(client, deps.ledger, campaign.id)) === "ended") throw restored(campaign);
      const handle = client.workflow.getHandle(campaignWorkflowId(campaign.id));
      return handle.executeUpdate(update, { args: [input], updateId: updateIdOf(input) });
    });
  } catch (error) {
    if (error instanceof Problem) throw error;
    const now = (await readCampaign(deps.ledger.db, campaign.id)) ?? campaign;
    const refusal = refusalIn(error);
    if (refusal !== undefined) {
      throw new Problem(
        { status: 409, code: "command_refused", detail: refusal, extra: { state: now.state } },
        { cause: error },
      );
    }
    if (error instanceof WorkflowNotFoundError) refuseUnfit(command, now.state);
    throw unanswered(command, input.commandId, now, error);
  }
}

/** Temporal gives an id that it knows the answer that there was: only the same command may have it. */
function updateIdOf({ commandId, request }: { commandId: string; request?: string }): string {
  return request === undefined ? commandId : `${commandId} ${request.slice(0, 16)}`;
}

/** Its workflow knows that it is over, and this ledger does not. */
function restored({ name, state }: Campaign): Problem {
  return new Problem({
    status: 409,
    code: "command_refused",
    detail: `campaign "${name}" has ended, and the ledger, which was restored, says that it is ${state}: run \`outdial recover\` first`,
    extra: { state },
  });
}

function refuseUnfit(command: CampaignCommand, state: CampaignState): void {
  const objection = objectionTo(command, state);
  if (objection === undefined) return;
  throw new Problem({ status: 409, code: "command_refused", detail: objection, extra: { state } });
}

/** Types under which the ledger's refusal of a command arrives. */
const REFUSALS: ReadonlySet<string> = new Set(["CommandRefused", "CommandRefusedError", "Conflict"]);

/** Why the command was refused: by the workflow's validator, or by the ledger in the activity behind it. */
function refusalIn(error: unknown): string | undefined {
  if (!(error instanceof WorkflowUpdateFailedError)) return undefined;
  const { cause } = error;
  if (cause instanceof ActivityFailure && cause.cause instanceof ApplicationFailure) {
    return REFUSALS.has(cause.cause.type ?? "") ? cause.cause.message : undefined;
  }
  return cause instanceof ApplicationFailure && cause.type === "Error" ? cause.message : undefined;
}

function unanswered(
  command: CampaignCommand,
  commandId: string,
  campaign: Campaign,
  error: unknown,
): Problem {
  const detail =
    `whether \`${command}\` was taken is not known: ${reasonOf(error)}. The ledger says that the campaign is ${campaign.state}. ` +
    `Check that Temporal and a worker run, then give the command again, with command_id ${commandId} if it is meant to be the same one; ` +
    "`outdial stop-all` stops all dialing without them";
  return new Problem(
    {
      status: 503,
      code: "temporal_unavailable",
      detail,
      extra: { state: campaign.state, command_id: commandId },
    },
    { cause: error },
  );
}

function reasonOf(error: unknown): string {
  if (error instanceof NoAnswerError) return error.message;
  return error instanceof Error ? `Temporal did not carry it out (${temporalWords(error)})` : String(error);
}

/**
 * Makes sure that a started campaign has its workflow and that it looks.
 *
 * @returns false where Temporal is away: the reconciler does it later.
 */
export async function beginWorkflow(deps: HttpDeps, campaignId: string): Promise<boolean> {
  try {
    await within(deps.client, START_WITHIN_MS, () => ensureCampaign(deps.client, deps.ledger, campaignId));
    deps.wake.campaign(campaignId);
    return true;
  } catch (error) {
    deps.log.warn(
      { campaignId, error },
      "a started campaign has no workflow yet; the reconciler will see to it",
    );
    return false;
  }
}

/** Temporal or a worker took longer than there was time. */
class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
}

/** Runs requests to Temporal that end within a bound, whatever they wait for. */
async function within<T>(client: Client, boundMs: number, ask: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new NoAnswerError(`Temporal or its worker did not answer within ${boundMs / 1_000} s`));
    }, boundMs);
  });
  try {
    // The deadline ends the requests, which the race only stops waiting for.
    return await Promise.race([client.withDeadline(Date.now() + boundMs, ask), late]);
  } finally {
    clearTimeout(timer);
  }
}
