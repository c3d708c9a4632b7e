import {
  beginLoad,
  giveUpLoad,
  loadChunk,
  type Loading,
  type Shrinkage,
  type SuppressionLoad,
} from "../ledger/ground/listed-numbers.ts";
import { declareSource, dropSource, renew } from "../ledger/campaigns/renewing.ts";
import type { SourceDefinition } from "../domain/policy/source-definition.ts";
import { exactDuration, msOfDuration } from "../domain/time/duration.ts";
import {
  scrubOf,
  type SourceDeclared,
  type SourceWritten,
  type SuppressionSource,
} from "../ledger/ground/suppression-sources.ts";
import type { CommandPorts, InFlight } from "./ports.ts";

/** A source as it is written by people, as the ledger takes it. */
export function declaredBy({ name, type, brand, max_age: maxAge, scrub }: SourceDefinition): SourceDeclared {
  return {
    name,
    type,
    brand,
    maxAgeMs: maxAge === undefined ? undefined : msOfDuration(maxAge),
    scrub: scrub && {
      url: scrub.url,
      secret: scrub.secret,
      cacheMs: msOfDuration(scrub.cache_for),
      whenAway: scrub.when_away,
    },
  };
}

/** And back: what is there, as it would be written. */
export function definitionOf(source: SuppressionSource): SourceDefinition {
  const { name, type, brand, maxAgeMs } = source;
  const scrub = scrubOf(source);
  return {
    name,
    type,
    ...(brand !== undefined && { brand }),
    ...(maxAgeMs !== undefined && { max_age: exactDuration(maxAgeMs) }),
    ...(scrub && {
      scrub: {
        url: scrub.url,
        secret: scrub.secret,
        cache_for: exactDuration(scrub.cacheMs),
        when_away: scrub.whenAway,
      },
    }),
  };
}

export interface SourcePut {
  source: SuppressionSource;
  isNew: boolean;
  stoppedBatches: number;
  inFlight: InFlight;
}

/** Declares a source of suppressions; answers when batches that dial by a list which is too old start no new call. */
export async function putSource(
  ports: CommandPorts,
  input: SourceDeclared & SourceWritten,
): Promise<SourcePut> {
  const { dialByMarginMs } = ports.pace;
  const { source, before, campaignIds, stoppedBatchIds } = await declareSource(ports.ledger, {
    ...input,
    dialByMarginMs,
    nowMs: ports.now(),
  });
  tell(ports, campaignIds);
  const inFlight = await ports.haltBatches(stoppedBatchIds);
  return { source, isNew: before === undefined, stoppedBatches: stoppedBatchIds.length, inFlight };
}

/** Takes one back, and its list with it; undefined where there is none of that name. */
export async function removeSource(
  ports: CommandPorts,
  input: { name: string; reason: string; actor: string },
): Promise<SuppressionSource | undefined> {
  const dropped = await dropSource(ports.ledger, { ...input, nowMs: ports.now() });
  if (dropped) tell(ports, dropped.campaignIds);
  return dropped?.source;
}

export type ListReplaced =
  | {
      kind: "taken";
      load: SuppressionLoad;
      source: SuppressionSource;
      stoppedBatches: number;
      inFlight: InFlight;
    }
  | { kind: "shrinks"; shrinkage: Shrinkage; source: SuppressionSource };

/**
 * Replaces the list of a source by the numbers of another, in one step behind the last of them. What `chunks` throws
 * leaves the old list as it was.
 *
 * @throws CommandRefusedError where there is no such source, or another list of it came meanwhile; ListIsOlderError.
 */
export async function replaceList(
  ports: CommandPorts,
  input: Omit<Parameters<typeof beginLoad>[1], "nowMs"> & {
    chunks: AsyncIterable<readonly string[]>;
    allowShrink: boolean;
  },
): Promise<ListReplaced> {
  const { ledger, now } = ports;
  const { chunks, allowShrink, actor, ...list } = input;
  const loading: Loading = await beginLoad(ledger, { ...list, actor, nowMs: now() });
  try {
    for await (const phones of chunks) await loadChunk(ledger, loading, phones);
  } catch (error) {
    await giveUpLoad(ledger.db, loading, now());
    throw error;
  }
  const renewed = await renew(ledger, { loading, allowShrink, actor, nowMs: now() });
  const { taken, campaignIds, stoppedBatchIds } = renewed;
  if (taken.kind === "shrinks") return { ...taken, source: loading.source };
  tell(ports, campaignIds);
  const inFlight = await ports.haltBatches(stoppedBatchIds);
  return { ...taken, stoppedBatches: stoppedBatchIds.length, inFlight };
}

/** Sooner than the outbox would, which makes sure of it. */
function tell({ wake, outbox }: CommandPorts, campaignIds: readonly string[]): void {
  for (const campaignId of campaignIds) wake.campaign(campaignId);
  outbox.kick();
}
