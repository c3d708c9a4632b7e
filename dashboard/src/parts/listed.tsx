import type { ComponentChildren } from "preact";

import { words } from "../words.ts";
import { Pager, type Pages } from "./more.tsx";
import { pageOf } from "./list-page.ts";

interface ListedProps {
  pages: Pages;
  items: readonly unknown[];
  /** `next_after` of the page. */
  next: string | null;
  /** What is said where the list has nothing. */
  none: string;
  children: ComponentChildren;
}

/** A page of a list, and the way to others. There is a way on where only this page has nothing. */
export function Listed({ pages, items, next, none, children }: ListedProps) {
  const says = { some: undefined, none, last: words.pager.noMore, passed: words.pager.passed };
  const said = says[pageOf({ items, next, isFirst: pages.isFirst })];
  return (
    <>
      {said === undefined ? children : <p class="quiet">{said}</p>}
      <Pager pages={pages} next={next} />
    </>
  );
}
