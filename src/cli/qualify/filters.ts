import { randomUUID } from "node:crypto";

import type { FilterAnswer } from "../../domain/campaigns/platform-profile.ts";
import type { BatchCallItem, BatchCallItemsQuery, Call, CallsQuery, Page } from "../../platform/index.ts";
import { waitFor } from "../interrupts.ts";
import { isRefusal, walkCalls } from "./lists.ts";
import type { Study, View } from "./study.ts";
import { noteWord } from "./words.ts";

/** Rows looked through: more than a qualification makes, and one page. */
const ROWS = 100;

const DAY_MS = 24 * 60 * 60_000;

/** Whether filters of lists do what their names say, told by calls that are known. */
export async function studyFilters(study: Study, { batch, items }: View): Promise<void> {
  const { found } = study;
  const callIds = items.flatMap(({ call_id: id }) => (id === undefined ? [] : [id]));
  found.filters["calls.batch_call_id"] = await studyBatchFilter(study, batch.batch_call_id, callIds);
  const [callId] = callIds;
  const call = callId === undefined ? undefined : await readCall(study, callId);
  if (call) await studyCallFilters(study, call);
  const word = items.find(({ status }) => status !== undefined)?.status;
  if (word === undefined) return;
  found.filters["items.status"] = await answerOf<BatchCallItemsQuery, BatchCallItem>(
    (query) => study.platform.batchCalls.items(batch.batch_call_id, query, { signal: study.signal }),
    found.page_limits.items,
    {
      asked: { status: word, limit: ROWS },
      fits: ({ status }) => status === word,
      known: (rows) => rows.length > 0,
      never: { status: "no-such-status", limit: ROWS },
    },
  );
}

/**
 * The engine rests a proof on this filter: a call that it leaves out is looked for again before that is said of
 * it, since a listing may lag.
 */
async function studyBatchFilter(
  study: Study,
  batchId: string,
  callIds: readonly string[],
): Promise<FilterAnswer> {
  if (callIds.length === 0) return "unclear";
  const fits = ({ call_id: id }: Call) => callIds.includes(id);
  // All pages: what is left out must not pass for a page that was too short.
  const list = async (id: string): Promise<Page<Call>> => {
    const { calls, isWhole } = await walkCalls(study, id, (call) => !fits(call));
    return { items: calls, total: isWhole ? calls.length : undefined };
  };
  const deadlineMs = performance.now() + study.pace.actMs;
  for (;;) {
    const answer = await answerOf(list, ROWS, {
      asked: batchId,
      fits,
      known: (rows) => callIds.every((id) => rows.some((row) => row.call_id === id)),
      never: randomUUID(),
    });
    if (answer !== "blind" || performance.now() > deadlineMs) return answer;
    await waitFor(study.pace.lookMs, study.signal);
    study.signal.throwIfAborted();
  }
}

async function studyCallFilters(study: Study, call: Call): Promise<void> {
  const { filters } = study.found;
  const answerTo = (probe: Probe<CallsQuery, Call>) =>
    answerOf(callsOf(study), study.found.page_limits.calls, probe);
  const isKnown = (rows: readonly Call[]) => rows.some(({ call_id: id }) => id === call.call_id);
  const { status, call_type: type } = call;
  if (status !== undefined) {
    filters["calls.status"] = await answerTo({
      asked: { status, limit: ROWS },
      fits: (row) => row.status === status,
      known: isKnown,
      never: { status: "no-such-status", limit: ROWS },
    });
  }
  if (type !== undefined) {
    filters["calls.call_type"] = await answerTo({
      asked: { call_type: type, limit: ROWS },
      fits: (row) => row.call_type === type,
      known: isKnown,
      never: { call_type: "no-such-type", limit: ROWS },
    });
  }
  filters["calls.agent_id"] = await answerTo({
    asked: { agent_id: study.agentId, limit: ROWS },
    fits: (row) => row.agent_id === undefined || row.agent_id === study.agentId,
    known: isKnown,
    never: { agent_id: randomUUID(), limit: ROWS },
  });
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  filters["calls.from_date"] = await answerTo({
    asked: { from_date: day(-1), limit: ROWS },
    fits: () => true,
    known: isKnown,
    never: { from_date: day(1), limit: ROWS },
  });
  filters["calls.to_date"] = await answerTo({
    asked: { to_date: day(1), limit: ROWS },
    fits: () => true,
    known: isKnown,
    never: { to_date: day(-365 * 50), limit: ROWS },
  });
}

interface Probe<Query, Row> {
  readonly asked: Query;
  readonly fits: (row: Row) => boolean;
  /** Whether what has to be among the rows is there. */
  readonly known: (rows: readonly Row[]) => boolean;
  /** What fits no row at all. */
  readonly never: Query;
}

async function answerOf<Query, Row>(
  list: (query: Query) => Promise<Page<Row>>,
  largestPage: number = ROWS,
  { asked, fits, known, never }: Probe<Query, Row>,
): Promise<FilterAnswer> {
  try {
    const { items: rows, total } = await list(asked);
    if (rows.some((row) => !fits(row))) return "ignored";
    // A page that is full, by the platform's own measure or count, need not have it: other rows may stand before.
    const isFull = rows.length >= Math.min(ROWS, largestPage) || (total !== undefined && total > rows.length);
    if (!known(rows)) return isFull ? "unclear" : "blind";
  } catch (error) {
    if (isRefusal(error)) return "refused";
    throw error;
  }
  try {
    return (await list(never)).items.length > 0 ? "ignored" : "works";
  } catch (error) {
    // A value that it refuses is one that it looked at.
    if (isRefusal(error)) return "works";
    throw error;
  }
}

function callsOf({ platform, signal }: Study): (query: CallsQuery) => Promise<Page<Call>> {
  return (query) => platform.calls.list(query, { signal });
}

/** Reads a call until its processing is over, and keeps every word on the way. */
async function readCall(study: Study, callId: string): Promise<Call> {
  const { platform, found, pace, signal } = study;
  const deadlineMs = performance.now() + pace.actMs;
  for (;;) {
    const call = await platform.calls.get(callId, { signal });
    noteWord(found.words.call, call.status);
    noteWord(found.words.processing, call.processing_status);
    const isOver = ["completed", "failed"].includes(call.processing_status ?? "completed");
    if (isOver || performance.now() > deadlineMs) return call;
    await waitFor(pace.lookMs, signal);
    signal.throwIfAborted();
  }
}
