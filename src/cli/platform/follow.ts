import type { Config } from "../../config.ts";
import {
  type BatchEvent,
  followBatch,
  isBatchEnded,
  operationOf,
  PlatformError,
} from "../../platform/index.ts";
import type { CliContext, Voice } from "../context.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { watchInterrupts } from "../interrupts.ts";
import { failureOf } from "./failure.ts";
import { openByHand } from "./open.ts";
import { clean } from "./show.ts";

export interface FollowLine {
  readonly json?: true;
}

/** Shows what a batch's stream says until the batch is over. Changes nothing. @throws CliError */
export async function followOne(
  context: CliContext,
  config: Config,
  voice: Voice,
  batchId: string,
  { json }: FollowLine,
): Promise<ExitCode> {
  const interrupts = watchInterrupts(() => {});
  const { signal } = interrupts;
  const platform = await openByHand(context, config);
  let isOver = false;
  try {
    for await (const event of followBatch(platform, batchId, { signal })) {
      if (json)
        context.stdout.write(`${JSON.stringify(event.kind === "frame" ? withoutHint(event) : event)}\n`);
      else voice.tell(linesOf(event).map(clean));
      isOver = event.kind === "batch" && isBatchEnded(event.batch);
    }
    return isOver ? EXIT.ok : EXIT.interrupted;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    throw failureOf(error, operationOf("batchCalls.get"), {});
  } finally {
    interrupts.end();
    await platform.close();
  }
}

/** What a program gets of a frame is what came. */
function withoutHint({ kind, data }: Extract<BatchEvent, { kind: "frame" }>) {
  return { kind, data };
}

function linesOf(event: BatchEvent): string[] {
  switch (event.kind) {
    case "frame": {
      const { items, batchStatus, counts = {} } = event.hint;
      const { total } = counts;
      const told = [
        ...Array.from(items, ([item, word]) => `${item} ${word}`),
        ...(batchStatus === undefined ? [] : [`the batch: ${batchStatus}`]),
        // Its words overlap where it counts by the ends of calls, too: with a total it says how far it is.
        ...(total === undefined
          ? Object.entries(counts).map(([word, number]) => `${number} ${word}`)
          : progressOf({ ...counts, total })),
      ];
      return [`stream  ${told.length === 0 ? JSON.stringify(event.data) : told.join(", ")}`];
    }
    case "state": {
      const { change } = event;
      if (change.state !== "waiting") return [`stream is ${change.state}`];
      return [`stream is lost (${change.reason}), and tried again in ${Math.ceil(change.delayMs / 1_000)} s`];
    }
    case "missed":
      return [`stream  ${event.frames} frames came too fast to be shown`];
    case "batch": {
      const { status = "no status" } = event.batch;
      return [`batch   ${[status, ...progressOf(event.batch)].join(", ")}`];
    }
  }
}

interface Progress {
  readonly total?: number | undefined;
  readonly processed?: number | undefined;
  readonly active?: number | undefined;
}

function progressOf({ total, processed, active }: Progress): string[] {
  return [
    ...(total === undefined ? [] : [`${processed ?? "?"} of ${total} processed`]),
    ...(active === undefined ? [] : [`${active} under way`]),
  ];
}
