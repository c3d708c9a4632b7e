import { count, moment } from "../format.ts";

interface Bar {
  /** When its hour begins, as a moment or as a clock shows it. */
  at: string;
  /** As it is said; the moment where it is absent. */
  name?: string;
  values: readonly number[];
}

interface BarsProps {
  /** What it shows, for who can't see it. */
  label: string;
  /** What each of the values of a bar is. */
  names: readonly string[];
  bars: readonly Bar[];
}

const HOUR_MS = 3_600_000;

/** As many hours are drawn one by one; a longer stretch day by day. */
const MOST_HOURS = 240;

/** Few bars are not stretched over the whole page. */
const LEAST_BARS = 24;

/**
 * Numbers of hours as bars of a stretch without gaps.
 *
 * @param hours when each begins, in milliseconds, rising; those without anything may be left out
 * @param nameOf what a bar is called by when it begins
 */
export function barsOf(
  hours: readonly { atMs: number; values: readonly number[] }[],
  nameOf: (atMs: number) => string,
): Bar[] {
  const [first, last] = [hours[0], hours.at(-1)];
  if (!first || !last) return [];
  const isLong = last.atMs - first.atMs > MOST_HOURS * HOUR_MS;
  const eachMs = isLong ? 24 * HOUR_MS : HOUR_MS;
  const bars: { at: string; name: string; values: number[] }[] = [];
  for (let atMs = first.atMs; atMs <= last.atMs; atMs += eachMs)
    bars.push({ at: String(atMs), name: nameOf(atMs), values: first.values.map(() => 0) });
  for (const { atMs, values } of hours) {
    const bar = bars[Math.floor((atMs - first.atMs) / eachMs)];
    for (const [n, value] of values.entries()) if (bar) bar.values[n] = (bar.values[n] ?? 0) + value;
  }
  return bars;
}

const HEIGHT = 120;
const WIDTH = 720;

/** Numbers by the hour, stacked. What they come to stands in words beside it, and each bar says its own. */
export function Bars({ label, names, bars }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0)));
  const each = WIDTH / Math.max(LEAST_BARS, bars.length);
  const gap = Math.min(2, each / 4);
  return (
    <div class="stack">
      <svg
        class="bars"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={label}
        preserveAspectRatio="none"
      >
        {bars.map(({ at, name, values }, n) => {
          let under = 0;
          return (
            <g key={at}>
              <title>{`${name ?? moment(at)}: ${names.map((what, k) => `${count(values[k] ?? 0)} ${what}`).join(", ")}`}</title>
              <rect x={n * each} y="0" width={each} height={HEIGHT} class="bar-ground" />
              {values.map((value, k) => {
                const height = (value / most) * HEIGHT;
                under += height;
                return (
                  <rect
                    key={names[k]}
                    class={`bar-${k + 1}`}
                    x={n * each + gap / 2}
                    y={HEIGHT - under}
                    width={Math.max(0.5, each - gap)}
                    height={height}
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
      <p class="row small quiet spread">
        <span>{bars[0] && (bars[0].name ?? moment(bars[0].at))}</span>
        <span>{bars.at(-1) && (bars.at(-1)?.name ?? moment(bars.at(-1)?.at ?? 0))}</span>
      </p>
      {names.length > 1 && (
        <ul class="legend">
          {names.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
