/** What is seen of a list by one of its pages. */
export interface Seen {
  items: readonly unknown[];
  /** `next_after` of the page. */
  next: string | null;
  isFirst: boolean;
}

/**
 * What a page of a list says of it: `some` of it; that there is `none`; that the `last` one is behind it; or that what
 * was looked at for it was `passed` over by the filter, and others stand behind it.
 */
export function pageOf({ items, next, isFirst }: Seen): "some" | "none" | "last" | "passed" {
  if (items.length > 0) return "some";
  if (next !== null) return "passed";
  return isFirst ? "none" : "last";
}
