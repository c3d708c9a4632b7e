/** Days off that are asked for, as an exception of a campaign has them. */
export interface DaysAsked {
  /** ISO dates. */
  from: string;
  /** Empty: it is one day. */
  to: string;
}

/**
 * Whether a campaign's exceptions keep days off already, all of them; hold another one on some of them, which only a
 * person can weigh against it, since a campaign has one exception a day; or leave room for it.
 */
export function standingOf(
  exceptions: readonly unknown[],
  { from, to }: DaysAsked,
): "kept" | "another" | "free" {
  const last = to === "" ? from : to;
  const spans = exceptions.map(spanOf);
  if (spans.some((span) => span.isOff && span.from <= from && last <= span.last)) return "kept";
  return spans.some((span) => span.from <= last && from <= span.last) ? "another" : "free";
}

function spanOf(exception: unknown): { from: string; last: string; isOff: boolean } {
  const { date, to = date, hours = [] } = Object(exception) as Readonly<Record<string, unknown>>;
  return { from: String(date), last: String(to), isOff: Array.isArray(hours) && hours.length === 0 };
}
