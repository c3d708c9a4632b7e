import type { Clock } from "../clock.ts";
import type { AgentRecord } from "./agents.ts";
import type { BatchStatus } from "./batch-status.ts";
import { tallyOf } from "./batches.ts";
import type { BatchRecord, ItemRecord } from "./batches.ts";
import type { CallRecord, CallTalk } from "./calls.ts";
import type { Organization } from "./organization.ts";

/** A call as it is kept over a restart: as the record, with ids and indexes where that has references. */
interface SavedCall extends Omit<CallRecord, "organization" | "agent" | "batch" | "item" | "timer" | "talk"> {
  /** Absent in files that are older than rooms. */
  readonly talk?: CallTalk | null;
  readonly agentId: string;
  readonly batchIndex: number | null;
  /** Its place in the batch. */
  readonly itemPlace: number | null;
  /** When its phase ends (`now()`); null: never, or it is over. */
  readonly dueAt: number | null;
  readonly removed: boolean;
}

interface SavedItem extends Omit<ItemRecord, "batch" | "call"> {
  readonly callIndex: number | null;
}

interface SavedBatch extends Omit<
  BatchRecord,
  "organization" | "agent" | "items" | "tally" | "calls" | "retries" | "pickup" | "status"
> {
  readonly agentId: string;
  readonly status: BatchStatus;
  readonly items: readonly SavedItem[];
  readonly callIndexes: readonly number[];
  /** Their places in the batch. */
  readonly retries: readonly number[];
  readonly pickupDueAt: number | null;
}

/** The batches and calls of an organization, which refer to each other. */
export interface SavedDialing {
  readonly batches: readonly SavedBatch[];
  readonly calls: readonly SavedCall[];
}

/** What was going on when it was saved, to be gone on with. */
export interface Unfinished {
  readonly calls: readonly { readonly call: CallRecord; readonly dueAt: number | null }[];
  readonly batches: readonly { readonly batch: BatchRecord; readonly pickupDueAt: number | null }[];
}

export function dumpDialing({ batches, calls }: Organization, clock: Clock): SavedDialing {
  const everyBatch = batches.everyone();
  const placeOf = new Map(everyBatch.map((batch, index) => [batch, index]));
  return {
    batches: everyBatch.map((batch) => savedBatch(batch, clock)),
    calls: calls.everyone().map((call) => {
      const { organization: _organization, agent, batch, item, timer, ...rest } = call;
      return {
        ...rest,
        agentId: agent.id,
        batchIndex: batch === null ? null : (placeOf.get(batch) ?? null),
        itemPlace: item === null ? null : item.index - (item.batch.items[0]?.index ?? 0),
        dueAt: clock.dueAt(timer),
        removed: calls.isRemoved(call),
      };
    }),
  };
}

function savedBatch(record: BatchRecord, clock: Clock): SavedBatch {
  const {
    organization: _organization,
    agent,
    items,
    tally: _tally,
    calls,
    retries,
    pickup,
    ...rest
  } = record;
  const first = items[0]?.index ?? 0;
  return {
    ...rest,
    agentId: agent.id,
    items: items.map(({ batch: _batch, call, ...item }) => ({ ...item, callIndex: call?.index ?? null })),
    callIndexes: calls.map((call) => call.index),
    retries: retries.map((item) => item.index - first),
    pickupDueAt: clock.dueAt(pickup),
  };
}

/** Takes batches and calls back into an organization that has its agents already, and none of these yet. */
export function restoreDialing(organization: Organization, saved: SavedDialing): Unfinished {
  const batches = saved.batches.map((batch) => batchFrom(organization, batch));
  for (const batch of batches) {
    organization.batches.takeBack(batch);
  }
  const calls = saved.calls.map((record) => {
    const { agentId, batchIndex, itemPlace, dueAt: _dueAt, removed, ...rest } = record;
    const batch = batchIndex === null ? null : (batches[batchIndex] ?? null);
    const call: CallRecord = {
      ...rest,
      organization,
      agent: agentOf(organization, agentId),
      batch,
      item: itemPlace === null ? null : (batch?.items[itemPlace] ?? null),
      talk: record.talk ?? null,
      timer: null,
    };
    organization.calls.takeBack(call, removed);
    return call;
  });
  for (const [index, { items, callIndexes }] of saved.batches.entries()) {
    const batch = batches[index];
    for (const [place, { callIndex }] of items.entries()) {
      const item = batch?.items[place];
      if (item !== undefined && callIndex !== null) {
        item.call = calls[callIndex] ?? null;
      }
    }
    batch?.calls.push(...callIndexes.flatMap((callIndex) => calls[callIndex] ?? []));
  }
  return {
    calls: calls.flatMap((call, index) =>
      call.phase === "ended" ? [] : [{ call, dueAt: saved.calls[index]?.dueAt ?? null }],
    ),
    batches: batches.map((batch, index) => ({
      batch,
      pickupDueAt: saved.batches[index]?.pickupDueAt ?? null,
    })),
  };
}

function batchFrom(organization: Organization, saved: SavedBatch): BatchRecord {
  const { agentId, items: savedItems, callIndexes: _calls, retries, pickupDueAt: _due, ...rest } = saved;
  const items: ItemRecord[] = [];
  const batch: BatchRecord = {
    ...rest,
    organization,
    agent: agentOf(organization, agentId),
    items,
    tally: tallyOf(savedItems),
    calls: [],
    retries: [],
    pickup: null,
  };
  for (const { callIndex: _callIndex, ...item } of savedItems) {
    items.push({ ...item, batch, call: null });
  }
  batch.retries.push(...retries.flatMap((place) => items[place] ?? []));
  return batch;
}

function agentOf(organization: Organization, id: string): AgentRecord {
  const agent = organization.agents.findForgotten(id);
  if (agent === null) {
    throw new Error(`the data file names an agent ${id} that is not in it`);
  }
  return agent;
}
