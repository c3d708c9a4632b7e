import type { Platform, WorkflowExecution } from "../../platform/index.ts";
import { EndlessListError, momentOf } from "../../platform/index.ts";
import { writtenOut } from "./records.ts";

/*
 * Looking for executions of an automation. The platform has no look at a single one, and says nothing of the order
 * of its list (contract 4.5), so the newest are read from whichever end they stand at.
 *
 * Many actions that follow executions of the same automation share one reading: what one of them sees, all do.
 */

/** Executions of one reading: more than are begun between two looks. */
const NEWEST = 500;

/** Pages of a whole walk: 10,000 executions. What is not among them is not found. */
const PAGE = 500;
const MAX_PAGES = 20;

/** How far the platform's clock and ours may be apart. */
const CLOCKS_APART_MS = 10 * 60_000;

export type Execution = WorkflowExecution;

interface Reading {
  atMs: number;
  newest: Promise<Newest>;
}

interface Newest {
  executions: readonly Execution[];
  /** There are no others. */
  isWhole: boolean;
}

const readings = new WeakMap<Platform, Map<string, Reading>>();

/**
 * The newest executions of an automation, as they were at most `maxAgeMs` ago.
 *
 * @throws PlatformError
 */
export function readNewest(
  platform: Platform,
  workflowId: string,
  at: { nowMs: number; maxAgeMs: number },
): Promise<Newest> {
  const known = readings.get(platform) ?? new Map<string, Reading>();
  readings.set(platform, known);
  const last = known.get(workflowId);
  if (last && at.nowMs - last.atMs <= at.maxAgeMs && last.atMs <= at.nowMs) return last.newest;
  const newest = readAnew(platform, workflowId);
  known.set(workflowId, { atMs: at.nowMs, newest });
  // A reading that failed is not shared with those who come later.
  newest.catch(() => known.delete(workflowId));
  return newest;
}

async function readAnew(platform: Platform, workflowId: string): Promise<Newest> {
  const first = await platform.workflows.executions(workflowId, { limit: NEWEST });
  const { total } = first;
  if (total === undefined || total <= first.items.length)
    return { executions: first.items, isWhole: total !== undefined || first.items.length < NEWEST };
  if (!isOldestFirst(first.items)) return { executions: first.items, isWhole: false };
  const last = await platform.workflows.executions(workflowId, {
    skip: Math.max(0, total - NEWEST),
    // One more than was counted: some may have begun in between.
    limit: NEWEST * 2,
  });
  return { executions: last.items, isWhole: false };
}

function isOldestFirst(executions: readonly Execution[]): boolean {
  const firstMs = momentOf(executions[0]?.started_at);
  const lastMs = momentOf(executions.at(-1)?.started_at);
  return firstMs !== undefined && lastMs !== undefined && firstMs < lastMs;
}

/**
 * All executions from the newest one back to the first page with one that is not wanted, from whichever end of the
 * list the newest stand at.
 *
 * @returns `isWhole` false where there are more of them than can be read.
 * @throws PlatformError
 */
export async function readBack(
  platform: Platform,
  workflowId: string,
  isWanted: (execution: Execution) => boolean,
): Promise<Newest> {
  const read = (query: { skip?: number; limit: number }) => platform.workflows.executions(workflowId, query);
  const found = new Map<string, Execution>();
  let page = await read({ limit: PAGE });
  const { total = 0 } = page;
  const isForward = total <= page.items.length || !isOldestFirst(page.items);
  // What begins meanwhile moves the rest away from us, or towards us: then it is seen twice, and kept once.
  let skip = isForward ? 0 : total;
  for (let pages = 1; pages <= MAX_PAGES; pages += 1) {
    if (!isForward) {
      const end = skip;
      skip = Math.max(0, end - PAGE);
      page = await read({ skip, limit: pages === 1 ? PAGE * 2 : end - skip });
    } else if (pages > 1) page = await read({ skip, limit: PAGE });
    for (const execution of page.items) if (isWanted(execution)) found.set(execution.execution_id, execution);
    const isLast = isForward ? page.items.length === 0 : skip === 0;
    if (isLast || !page.items.every(isWanted)) return { executions: [...found.values()], isWhole: true };
    if (isForward) skip += page.items.length;
  }
  return { executions: [...found.values()], isWhole: false };
}

/**
 * Those of these ids that are to be seen in a walk through the whole list. `isWhole` false: there is more than can be
 * walked through.
 *
 * @throws PlatformError
 */
export async function findAll(
  platform: Platform,
  workflowId: string,
  ids: ReadonlySet<string>,
): Promise<Newest> {
  const found = new Map<string, Execution>();
  const walked = await walk(platform, workflowId, (execution) => {
    if (ids.has(execution.execution_id)) found.set(execution.execution_id, execution);
    return found.size === ids.size;
  });
  const isWhole = walked.kind === "found" || walked.isToItsEnd;
  return { executions: [...found.values()], isWhole };
}

/**
 * The execution of this id; undefined where it is not to be seen.
 *
 * @throws PlatformError
 */
export async function findExecution(
  platform: Platform,
  workflowId: string,
  executionId: string,
  at: { nowMs: number; maxAgeMs: number },
): Promise<Execution | undefined> {
  const { executions } = await readNewest(platform, workflowId, at);
  const isIt = (execution: Execution) => execution.execution_id === executionId;
  const found = executions.find(isIt);
  if (found) return found;
  const walked = await walk(platform, workflowId, isIt);
  return walked.kind === "found" ? walked.execution : undefined;
}

type Walked = { kind: "found"; execution: Execution } | { kind: "absent" | "not_seen"; isToItsEnd: boolean };

export type Search =
  | { kind: "found"; execution: Execution }
  | { kind: "absent" }
  /** It is not among those that could be read, and there may be more. */
  | { kind: "not_seen" };

/**
 * Looks for the execution that was begun with a key in what it was given.
 *
 * @param sinceMs it began then at the earliest
 */
export async function searchByKey(
  platform: Platform,
  workflowId: string,
  key: string,
  at: { nowMs: number; sinceMs: number },
): Promise<Search> {
  const newest = await readNewest(platform, workflowId, { nowMs: at.nowMs, maxAgeMs: 0 });
  const found = newest.executions.find((execution) => carries(execution, key));
  if (found) return { kind: "found", execution: found };
  const reachesBack = beginsBefore(newest.executions, at.sinceMs - CLOCKS_APART_MS);
  if ((newest.isWhole || reachesBack) && showInputs(newest.executions)) return { kind: "absent" };
  return walk(platform, workflowId, (execution) => carries(execution, key));
}

/** Whether executions reach back to before a moment. One alone does not say so: its time may be garbled. */
function beginsBefore(executions: readonly Execution[], momentMs: number): boolean {
  const starts = executions.map(({ started_at: at }) => momentOf(at));
  if (starts.includes(undefined)) return false;
  return starts.filter((startMs) => startMs !== undefined && startMs < momentMs).length > 1;
}

async function walk(
  platform: Platform,
  workflowId: string,
  isIt: (execution: Execution) => boolean,
): Promise<Walked> {
  let hasInputs = true;
  try {
    const listing = platform.workflows.iterateExecutions(
      workflowId,
      { limit: PAGE },
      { maxPages: MAX_PAGES },
    );
    for await (const execution of listing) {
      if (isIt(execution)) return { kind: "found", execution };
      hasInputs &&= showInputs([execution]);
    }
    return { kind: hasInputs ? "absent" : "not_seen", isToItsEnd: true };
  } catch (error) {
    if (error instanceof EndlessListError) return { kind: "not_seen", isToItsEnd: false };
    throw error;
  }
}

/** Wherever in its input the key may stand: how the platform wraps what it is given is not said. */
function carries(execution: Execution, key: string): boolean {
  return writtenOut(inputOf(execution) ?? null)?.includes(key) ?? false;
}

/** Whether the platform shows what executions were given: without that, absence proves nothing. */
function showInputs(executions: readonly Execution[]): boolean {
  return executions.every((execution) => writtenOut(inputOf(execution)) !== undefined);
}

function inputOf(execution: Execution): unknown {
  return Reflect.get(execution, "input_snapshot");
}
