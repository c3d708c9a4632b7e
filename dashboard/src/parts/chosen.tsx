import { useState } from "preact/hooks";

import { words } from "../words.ts";
import type { Column } from "./table.tsx";

/** Rows of a list that are chosen, by their ids; those that are gone from the list are chosen no more. */
export function useChosen(ids: readonly string[]) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const chosen = ids.filter((id) => marked.has(id));
  return {
    chosen,
    isChosen: (id: string) => marked.has(id),
    set: (some: readonly string[], isIn: boolean) =>
      setMarked((before) => {
        const after = new Set(before);
        for (const id of some) {
          if (isIn) after.add(id);
          else after.delete(id);
        }
        return after;
      }),
    clear: () => setMarked(new Set()),
  };
}

export type Chosen = ReturnType<typeof useChosen>;

/** The column of a list in which its rows are chosen. */
export function chosenColumn<Row extends { id: string }>(
  { isChosen, set }: Chosen,
  nameOf: (row: Row) => string,
): Column<Row> {
  return {
    name: words.bulk.choose,
    cell: (row) => (
      <input
        type="checkbox"
        aria-label={words.bulk.chooseOne(nameOf(row))}
        checked={isChosen(row.id)}
        onChange={({ currentTarget }) => set([row.id], currentTarget.checked)}
      />
    ),
  };
}

/** Chooses all of a page, or none of it. */
export function ChooseAll({ chosen, ids }: { chosen: Chosen; ids: readonly string[] }) {
  const isAll = ids.length > 0 && chosen.chosen.length === ids.length;
  return (
    <label class="inline">
      <input
        type="checkbox"
        checked={isAll}
        onChange={({ currentTarget }) => chosen.set(ids, currentTarget.checked)}
      />
      {words.bulk.chooseAll(ids.length)}
    </label>
  );
}
