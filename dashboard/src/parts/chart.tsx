import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

import { clock, count, moment } from "../format.ts";
import { useShownTheme } from "../theme.ts";
import { words } from "../words.ts";

interface Line {
  name: string;
  values: readonly (number | null)[];
}

interface ChartProps {
  /** What it shows, for who can't see it. */
  label: string;
  /** Milliseconds since 1970, rising. */
  times: readonly number[];
  lines: readonly Line[];
}

const COLOURS = ["--chart-1", "--chart-2", "--chart-3", "--quiet"];

/** Lines over time. The same numbers stand in a table or in words beside it, wherever they are decided by. */
export function Chart({ label, times, lines }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useShownTheme();
  const names = lines.map(({ name }) => name).join("\n");
  const drawn = useRef<uPlot | null>(null);
  const data = [
    times.map((ms) => ms / 1_000),
    ...lines.map(({ values }) => [...values]),
  ] as uPlot.AlignedData;
  const newest = useRef(data);
  newest.current = data;
  useEffect(() => {
    const at = place.current;
    if (!at) return;
    const colour = (token: string) => resolved(at, token);
    const plot = new uPlot(
      {
        width: Math.max(at.clientWidth, 200),
        height: 200,
        cursor: { y: false },
        // Half of the last label stands right of the lines.
        padding: [null, 32, null, null],
        scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] } },
        axes: [{ values: clocks }, { size: 56, values: counts }].map((axis) => ({
          ...axis,
          stroke: colour("--quiet"),
          grid: { stroke: colour("--line"), width: 1 },
          ticks: { show: false },
        })),
        series: [
          { label: words.timeline.time, value: (_, at) => (isNumber(at) ? moment(at * 1_000) : words.none) },
          ...names.split("\n").map((name, n) => ({
            label: name,
            stroke: colour(COLOURS[n % COLOURS.length] ?? "--chart-1"),
            width: 2,
            value: (_: uPlot, of: unknown) => (isNumber(of) ? count(of) : words.none),
            points: { show: false },
          })),
        ],
      },
      newest.current,
      at,
    );
    drawn.current = plot;
    const resize = new ResizeObserver(() =>
      plot.setSize({ width: Math.max(at.clientWidth, 200), height: 200 }),
    );
    resize.observe(at);
    return () => {
      resize.disconnect();
      plot.destroy();
      drawn.current = null;
    };
    // A canvas keeps the colours that it was drawn with.
  }, [names, theme]);
  useEffect(() => drawn.current?.setData(newest.current), [times, lines]);
  return <div class="chart" ref={place} role="img" aria-label={label} />;
}

/** Of a place in which nothing is, uPlot gives null. */
function isNumber(of: unknown): of is number {
  return typeof of === "number";
}

function clocks(_: uPlot, at: number[]): string[] {
  return at.map((seconds) => clock(seconds * 1_000));
}

/** There are no halves of what is counted. */
function counts(_: uPlot, at: number[]): string[] {
  return at.map((of) => (Number.isInteger(of) ? count(of) : ""));
}

/** A token as a colour that a canvas takes. */
function resolved(at: HTMLElement, token: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${token})`;
  at.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
