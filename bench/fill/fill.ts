/** How full lines were while anybody waited for one. */
export interface Fill {
  /** Busy line time by all line time, from the first dial until the last contact was dialed. */
  fill: number;
  /** Of the first and the second half of that time, and of its last tenth. */
  firstHalf: number;
  secondHalf: number;
  lastTenth: number;
  /** The most lines that were busy at once. */
  mostBusy: number;
}

/** When a line was busy. Milliseconds of any one clock. */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** @param lastDialMs when the last contact was dialed for the first time: the length of the last call does not count */
export function fillOf(spans: readonly Span[], lines: number, lastDialMs: number): Fill {
  const fromMs = spans.reduce((least, span) => Math.min(least, span.fromMs), Number.POSITIVE_INFINITY);
  const between = (a: number, b: number) => busyPart(spans, lines, { fromMs: a, toMs: b });
  const middleMs = (fromMs + lastDialMs) / 2;
  return {
    fill: between(fromMs, lastDialMs),
    firstHalf: between(fromMs, middleMs),
    secondHalf: between(middleMs, lastDialMs),
    lastTenth: between(lastDialMs - (lastDialMs - fromMs) / 10, lastDialMs),
    mostBusy: mostAtOnce(spans),
  };
}

/** Busy line time by all line time, between two moments. */
export function busyPart(spans: readonly Span[], lines: number, { fromMs, toMs }: Span): number {
  const busy = spans.reduce(
    (sum, span) => sum + Math.max(0, Math.min(span.toMs, toMs) - Math.max(span.fromMs, fromMs)),
    0,
  );
  return Number((busy / (lines * (toMs - fromMs))).toFixed(4));
}

function mostAtOnce(spans: readonly Span[]): number {
  // A line that becomes free and busy in one moment is one line.
  const changes = spans
    .flatMap(({ fromMs, toMs }) => [
      { atMs: fromMs, by: 1 },
      { atMs: toMs, by: -1 },
    ])
    .sort((a, b) => a.atMs - b.atMs || a.by - b.by);
  let now = 0;
  let most = 0;
  for (const { by } of changes) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}
