import { reasonWords } from "../../domain/ground/reason-words.ts";
import type { EventWire } from "../../http/wire/events.ts";
import type { Api } from "../api/client.ts";
import { ApiUnreachableError } from "../api/errors.ts";
import { StreamFormError } from "../api/events.ts";
import { waitFor } from "../interrupts.ts";

/** A system that is restarted is back within seconds. */
const AGAIN_AFTER_MS = 2_000;

/** So often in a row nothing answers: then it is not being restarted. */
const MOST_VAIN = 30;

export interface Followed {
  types?: string | undefined;
  campaign?: string | undefined;
  brand?: string | undefined;
}

/**
 * Gives what happens, page by page from `after` or `since` on, and then as it happens. A stream that ends is taken up
 * again where it was, so nothing is left out and nothing comes twice.
 *
 * @param input.onAway told once when nothing answers
 * @param input.silentForMs a stream by which nothing comes for so long is taken for cut
 */
export async function* followEvents(
  api: Api,
  input: {
    filter: Followed;
    after?: string | undefined;
    since?: string | undefined;
    signal: AbortSignal;
    onAway: (why: string) => void;
    silentForMs?: number;
  },
): AsyncGenerator<EventWire> {
  const { filter, since, signal, onAway, silentForMs } = input;
  let { after } = input;
  for (let more = after !== undefined || since !== undefined; more && !signal.aborted;) {
    const page = await api.events.page({
      ...filter,
      ...(after === undefined ? { since } : { after }),
      limit: 500,
    });
    yield* page.items;
    after = page.next_after;
    ({ more } = page);
  }
  for (let vain = 0; !signal.aborted;) {
    try {
      const onPlace = (place: string, isFurther: boolean) => {
        after = place;
        if (isFurther) vain = 0;
      };
      yield* api.events.stream({ ...filter, after }, { signal, onPlace, silentForMs });
    } catch (error) {
      if (signal.aborted) return;
      vain += 1;
      // A connection that breaks under the stream is no error of a request: all others are told.
      if (isFinal(error) || vain > MOST_VAIN) throw error;
      if (vain === 1) onAway(reasonWords(error));
    }
    await waitFor(AGAIN_AFTER_MS, signal);
  }
}

/** The system answered, and says no, or what is not understood. */
function isFinal(error: unknown): boolean {
  if (error instanceof StreamFormError) return true;
  return (
    error instanceof Error && !(error instanceof ApiUnreachableError) && error.name === "ApiProblemError"
  );
}
