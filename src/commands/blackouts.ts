import { blackOut, liftBlackout, type Unbound } from "../ledger/campaigns/blacking-out.ts";
import type { Blackout, NewBlackout } from "../ledger/ground/blackouts.ts";
import type { CommandPorts, InFlight } from "./ports.ts";

export interface BlackoutAdded {
  blackout: Blackout;
  /** False: it was there already. */
  isNew: boolean;
  stoppedBatches: number;
  /** What those batches still have in flight: calls that are up end by themselves. */
  inFlight: InFlight;
  /** Campaigns whose batches could not be asked yet, most of them because something holds them. It is tried on. */
  waiting: Unbound[];
}

/** As long as somebody waits for an answer. */
const BIND_MS = 3_000;

/**
 * Keeps a brand, or every brand, from calling anybody on some dates; answers when batches that were dialing against it
 * start no new call, and names campaigns whose batches could not be asked yet.
 *
 * @throws CommandRefusedError where there are too many already.
 */
export async function addBlackout(
  ports: CommandPorts,
  input: NewBlackout & { actor: string },
): Promise<BlackoutAdded> {
  const { dialByMarginMs } = ports.pace;
  const { blackout, isNew, campaignIds, stoppedBatchIds, waiting } = await blackOut(ports.ledger, {
    ...input,
    dialByMarginMs,
    now: ports.now,
    forMs: BIND_MS,
  });
  tell(ports, campaignIds);
  const inFlight = await ports.haltBatches(stoppedBatchIds);
  return { blackout, isNew, stoppedBatches: stoppedBatchIds.length, inFlight, waiting };
}

/** Takes one back; undefined where there is none of that id. */
export async function removeBlackout(
  ports: CommandPorts,
  input: { id: number; reason: string; actor: string },
): Promise<Blackout | undefined> {
  const lifted = await liftBlackout(ports.ledger, { ...input, nowMs: ports.now() });
  if (lifted) tell(ports, lifted.campaignIds);
  return lifted?.blackout;
}

/** Sooner than the outbox would, which makes sure of it. */
function tell({ wake, outbox }: CommandPorts, campaignIds: readonly string[]): void {
  for (const campaignId of campaignIds) wake.campaign(campaignId);
  outbox.kick();
}
