import { followTurn } from "../ledger/sequences/after-turn.ts";
import { commandAll, holdCallsOfTold, listWaitingForCalls } from "../ledger/sequences/enrolment-commands.ts";
import { takeEnrolmentTurn } from "../ledger/sequences/enrolment-turns.ts";
import { closeSequence, pauseSequence, resumeSequence } from "../ledger/sequences/sequence-commands.ts";
import type { Sequence, SequenceCommandInput } from "../ledger/sequences/sequences.ts";
import type { CommandPorts, InFlight } from "./ports.ts";

/*
 * What people tell a whole sequence, as they tell a campaign (campaigns.ts): a transaction, from whose commit on it
 * holds; then what runs is halted, and whoever has to look again is told by the outbox.
 */

const GIVE = { pause: pauseSequence, resume: resumeSequence, close: closeSequence } as const;

/**
 * Pauses, resumes or closes a sequence. Safe to give twice.
 *
 * @returns of a pause, what is in flight: what was started before is stopped, and nothing of the sequence dials once
 *   this is answered. Nothing else stops a call.
 * @throws CommandRefusedError where it does not fit the sequence's state.
 */
export async function tellSequence(
  ports: CommandPorts,
  command: keyof typeof GIVE,
  given: Omit<SequenceCommandInput, "nowMs">,
): Promise<{ sequence: Sequence; inFlight: InFlight | undefined }> {
  const { sequence, stoppedBatchIds } = await ports.ledger.transaction((tx) =>
    GIVE[command](tx, { ...given, nowMs: ports.now() }),
  );
  ports.outbox.kick();
  return { sequence, inFlight: command === "pause" ? await ports.haltBatches(stoppedBatchIds) : undefined };
}

interface ToEverybody {
  sequenceId: string;
  kind: "exit" | "skip";
  /** Names this giving of the command: the same id again is the same command. */
  commandId: string;
  actor: string;
  reason: string | undefined;
}

/**
 * Tells everybody in a sequence to leave it, or to skip the step that they are at. Their calls are held until they have
 * taken their turn; of those who would be dialed next it is taken at once.
 *
 * @returns how many were told.
 */
export async function tellEverybody(
  ports: CommandPorts,
  { sequenceId, kind, commandId, actor, reason }: ToEverybody,
): Promise<number> {
  const requestKey = `command:${commandId}`;
  const nowMs = ports.now();
  const data = reason === undefined ? {} : { reason };
  const told = await commandAll(ports.ledger, {
    sequenceId,
    commandId,
    entry: { kind, data, requestKey, actor, atMs: nowMs },
    nowMs,
  });
  ports.outbox.kick();
  await holdCallsOfTold(ports.ledger, { sequenceId, requestKey });
  await takeBackCalls(ports, sequenceId);
  return told;
}

/** Turns that a request waits for: seconds. The relay comes to all others, whose calls are held until then. */
const TURNS_AT_MOST = 200;

/** A few connections of the ledger, and not all of them. */
const AT_ONCE = 4;

/** Those who would be dialed next, before the relay comes to them, take their turns now. */
async function takeBackCalls(ports: CommandPorts, sequenceId: string): Promise<void> {
  const ids = await listWaitingForCalls(ports.ledger.db, sequenceId, TURNS_AT_MOST);
  const next = ids.values();
  const takeTurns = async () => {
    for (const enrolmentId of next) {
      const turn = await ports.ledger.transaction((tx) =>
        takeEnrolmentTurn(tx, { enrolmentId, nowMs: ports.now() }),
      );
      if (turn) await followTurn(ports, enrolmentId, turn);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
}
