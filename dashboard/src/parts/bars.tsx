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

const HEIGHT = 120;
const WIDTH = 720;

/** Numbers by the hour, stacked. What they come to stands in words beside it, and each bar says its own. */
export function Bars({ label, names, bars }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0)));
  const each = WIDTH / Math.max(1, bars.length);
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
