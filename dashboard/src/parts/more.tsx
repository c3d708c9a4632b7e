import { useState } from "preact/hooks";

import { words } from "../words.ts";

/** Places in a list that is read page by page: the cursors of the pages that were gone through. */
export function usePages() {
  const [places, setPlaces] = useState<readonly (string | undefined)[]>([undefined]);
  return {
    after: places.at(-1),
    isFirst: places.length === 1,
    forward: (next: string) => setPlaces((before) => [...before, next]),
    back: () => setPlaces((before) => (before.length > 1 ? before.slice(0, -1) : before)),
    restart: () => setPlaces([undefined]),
  };
}

export type Pages = ReturnType<typeof usePages>;

export function Pager({ pages, next }: { pages: Pages; next: string | null }) {
  if (pages.isFirst && next === null) return null;
  return (
    <nav class="row" aria-label={words.pager.name}>
      <button type="button" onClick={pages.back} aria-disabled={pages.isFirst}>
        {words.pager.back}
      </button>
      <button
        type="button"
        onClick={() => next !== null && pages.forward(next)}
        aria-disabled={next === null}
      >
        {words.pager.next}
      </button>
    </nav>
  );
}
