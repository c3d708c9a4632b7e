import { PlatformError, type Call, type Page } from "../../platform/index.ts";
import type { Study } from "./study.ts";
import { noteWord } from "./words.ts";

/** Page sizes that are asked for, the largest first: 1,000 is the most that is seen anywhere. */
const LIMITS = [1_000, 500, 200, 100, 50, 20, 10] as const;

/** What can be found out by reading alone: page sizes, ids, the clock. */
export async function studyLists(study: Study): Promise<void> {
  const { platform, found, signal } = study;
  const { page_limits: limits } = found;
  const options = { signal };
  limits.agents = await largestPage(study, "agents", (limit) => platform.agents.list({ limit }, options));
  found.date_header = platform.clock() !== undefined;
  limits.phone_numbers = await largestPage(study, "phone_numbers", (limit) =>
    platform.phoneNumbers.list({ limit }, options),
  );
  limits.batches = await largestPage(study, "batches", (limit) =>
    platform.batchCalls.list({ limit }, options),
  );
  limits.calls = await largestPage(study, "calls", (limit) => platform.calls.list({ limit }, options));
}

/**
 * The largest page that a list accepts to be asked for. One that says itself that there is more, and gives fewer rows than were
 * asked for, gives no more than those.
 */
export async function largestPage(
  { found, say }: Study,
  name: string,
  fetch: (limit: number) => Promise<Page<object>>,
): Promise<number | undefined> {
  for (const limit of LIMITS) {
    try {
      const { items, total } = await fetch(limit);
      const [first] = items;
      if (first) found.ids_as_id[name] = Object.hasOwn(first, "id");
      const isCapped =
        total !== undefined && total > items.length && items.length > 0 && items.length < limit;
      const given = isCapped ? items.length : limit;
      say(
        isCapped
          ? `${name}: pages of ${given}, though ${limit} were asked for`
          : `${name}: ${limit} a page is accepted`,
      );
      return given;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (name === "items" || name === "calls") found.page_refused[name] = limit;
    }
  }
  found.not_tried.push(`${name}: no page size was accepted`);
  return undefined;
}

/** The platform answered, and does not do what was asked: that is what was to be found out. */
export function isRefusal(error: unknown): error is PlatformError {
  if (!(error instanceof PlatformError) || error.status === undefined) return false;
  return error.status >= 400 && error.status < 500 && error.status !== 401 && error.status !== 429;
}

/** Pages of a batch's calls: more than this is no listing of a qualification. */
const MOST_PAGES = 20;

/**
 * The calls that are listed for a batch, page by page to an empty one. The words of each are kept.
 *
 * @param isStrange ends the walk at a call that was not asked for: the list may be a long one of others
 * @returns `isWhole` is false where the walk did not come to its end
 * @throws PlatformError
 */
export async function walkCalls(
  { platform, found, signal }: Study,
  batchId: string,
  isStrange: (call: Call) => boolean,
): Promise<{ calls: Call[]; isWhole: boolean }> {
  const calls: Call[] = [];
  const options = { signal, untilEmpty: true, maxPages: MOST_PAGES };
  try {
    for await (const call of platform.calls.iterate({ batch_call_id: batchId }, options)) {
      calls.push(call);
      noteWord(found.words.call, call.status);
      noteWord(found.words.processing, call.processing_status);
      if (isStrange(call)) return { calls, isWhole: false };
    }
    return { calls, isWhole: true };
  } catch (error) {
    // It repeats itself or does not end.
    if (error instanceof PlatformError && error.code === "unexpected_response")
      return { calls, isWhole: false };
    throw error;
  }
}
