import { useQuery } from "@tanstack/preact-query";

import { useClient } from "../../api/client.ts";
import { count } from "../../format.ts";
import { Load } from "../../parts/state.tsx";
import { words } from "../../words.ts";
import { BOX, placed, readFlowchart, type Flowchart, type Placed } from "./flowchart.ts";

interface DiagramProps {
  id: string;
  version: number;
  /** How many people are on each step. */
  people: Readonly<Record<string, number>>;
  /** Steps that somebody went through, one after the other, in bold with the arrows between them. */
  way?: readonly string[];
}

/** A version of a sequence as it is drawn by the API, with the people on its steps. */
export function SequenceDiagram({ id, version, people, way = [] }: DiagramProps) {
  const client = useClient();
  const drawing = useQuery({
    queryKey: ["drawSequence", { ref: id }, { version }],
    queryFn: async ({ signal }) => {
      const answer = await client.drawSequence({ path: { ref: id }, query: { version }, signal });
      return readFlowchart(await answer.text());
    },
  });
  return <Load of={drawing}>{(chart) => <Drawing chart={chart} people={people} way={way} />}</Load>;
}

/** Of a drawing whose boxes are chosen from. */
export interface Choosing {
  /** The box's key. */
  chosen: string;
  choose: (key: string) => void;
  /** What is wrong, by the box's key. */
  problems: ReadonlyMap<string, readonly string[]>;
}

interface DrawingProps {
  chart: Flowchart;
  people?: Readonly<Record<string, number>>;
  /** Steps in the order in which somebody went through them. */
  way?: readonly string[];
  choosing?: Choosing;
}

const MARGIN = 24;

export function Drawing({ chart, people = {}, way = [], choosing }: DrawingProps) {
  const { nodes, width, height } = placed(chart);
  const at = new Map(nodes.map((node) => [node.key, node]));
  const gone = new Set(way.slice(1).map((title, index) => `${way[index] ?? ""}\n${title}`));
  const isGone = (from: Placed, to: Placed) => gone.has(`${from.title}\n${to.title}`);
  return (
    <div class="scroll" tabIndex={choosing ? undefined : 0} role="group" aria-label={words.sequence.diagram}>
      <svg
        class="diagram"
        role={choosing ? "group" : "img"}
        aria-label={words.sequence.diagramSays(nodes.map(({ title }) => title))}
        viewBox={`${-MARGIN} ${-MARGIN / 2} ${width + 4 * MARGIN} ${height + MARGIN}`}
        width={width + 5 * MARGIN}
        height={height + MARGIN}
      >
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerUnits="userSpaceOnUse"
            markerWidth="10"
            markerHeight="10"
            orient="auto"
          >
            <path d="M0 0L8 4L0 8z" />
          </marker>
        </defs>
        {chart.edges.map(({ from, to, label }, index) => {
          const [start, end] = [at.get(from), at.get(to)];
          return (
            start &&
            end && <Arrow key={index} from={start} to={end} label={label} isOnWay={isGone(start, end)} />
          );
        })}
        {nodes.map((node) => (
          <Box
            key={node.key}
            node={node}
            people={people[node.title]}
            isOnWay={way.includes(node.title)}
            choosing={choosing}
          />
        ))}
      </svg>
    </div>
  );
}

interface ArrowProps {
  from: Placed;
  to: Placed;
  label: string;
  isOnWay: boolean;
}

function Arrow({ from, to, label, isOnWay }: ArrowProps) {
  const isBack = to.y <= from.y;
  const [x1, y1] = [from.x + BOX.width / 2, from.y + BOX.height];
  const [x2, y2] = [to.x + BOX.width / 2, to.y];
  const side = Math.max(from.x, to.x) + BOX.width + MARGIN;
  const line = isBack
    ? `M${from.x + BOX.width} ${from.y + BOX.height / 2}C${side + MARGIN} ${from.y + BOX.height / 2} ${side + MARGIN} ${to.y + BOX.height / 2} ${to.x + BOX.width + 2} ${to.y + BOX.height / 2}`
    : `M${x1} ${y1}C${x1} ${y1 + BOX.gapY / 2} ${x2} ${y2 - BOX.gapY / 2} ${x2} ${y2 - 2}`;
  return (
    <g>
      <path class={isOnWay ? "arrow on-way" : "arrow"} d={line} marker-end="url(#arrow)" />
      {label !== "" && (
        <text
          class="on-arrow"
          x={isBack ? side : (x1 + x2) / 2 + 4}
          y={isBack ? from.y : (y1 + y2) / 2}
          text-anchor="middle"
        >
          {short(label, 26)}
        </text>
      )}
    </g>
  );
}

interface BoxProps {
  node: Placed;
  people: number | undefined;
  isOnWay: boolean;
  choosing: Choosing | undefined;
}

function Box({ node, people, isOnWay, choosing }: BoxProps) {
  const { key, x, y, title, does, shape } = node;
  const problems = choosing?.problems.get(key) ?? [];
  const isChosen = choosing?.chosen === key;
  const look = ["box", isOnWay && "on-way", isChosen && "chosen", problems.length > 0 && "wrong"];
  const says = words.sequence.atNode(title, does, problems);
  const choose = () => choosing?.choose(key);
  return (
    <g
      class={look.filter(Boolean).join(" ")}
      {...(choosing && {
        role: "button",
        // In lower case: names of attributes are told apart by case in SVG.
        tabindex: 0,
        "aria-pressed": isChosen,
        onClick: choose,
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          choose();
        },
      })}
    >
      <title>{says}</title>
      <rect
        x={x}
        y={y}
        width={BOX.width}
        height={BOX.height}
        rx={shape === "round" ? BOX.height / 2 : 6}
        class={shape}
      />
      <text x={x + BOX.width / 2} y={y + (does === undefined ? 32 : 23)} text-anchor="middle" class="title">
        {short(title, 22)}
      </text>
      {does !== undefined && (
        <text x={x + BOX.width / 2} y={y + 41} text-anchor="middle" class="does">
          {short(does, 28)}
        </text>
      )}
      {problems.length > 0 && <Badge x={x} y={y} kind="trouble" of={`! ${count(problems.length)}`} />}
      {people !== undefined && people > 0 && (
        <Badge x={x + BOX.width - 22} y={y} kind="people" of={count(people)} />
      )}
    </g>
  );
}

function Badge({ x, y, kind, of }: { x: number; y: number; kind: "people" | "trouble"; of: string }) {
  return (
    <g>
      <rect x={x - 12} y={y - 11} width="46" height="22" rx="11" class={kind} />
      <text x={x + 11} y={y + 5} text-anchor="middle" class={kind}>
        {of}
      </text>
    </g>
  );
}

function short(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
