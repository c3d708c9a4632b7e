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
  /** Steps that somebody went through, in bold. */
  way?: readonly string[];
}

/** A sequence as it is drawn by the API, with the people on its steps. */
export function SequenceDiagram({ id, version, people, way = [] }: DiagramProps) {
  const client = useClient();
  const drawing = useQuery({
    queryKey: ["drawSequence", { ref: id }, { version }],
    queryFn: async ({ signal }) => {
      const answer = await client.drawSequence({ path: { ref: id }, signal });
      return readFlowchart(await answer.text());
    },
  });
  return <Load of={drawing}>{(chart) => <Drawing chart={chart} people={people} way={way} />}</Load>;
}

type DrawingProps = { chart: Flowchart } & Pick<Required<DiagramProps>, "people" | "way">;

const MARGIN = 24;

function Drawing({ chart, people, way }: DrawingProps) {
  const { nodes, width, height } = placed(chart);
  const at = new Map(nodes.map((node) => [node.key, node]));
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={words.sequence.diagram}>
      <svg
        class="diagram"
        role="img"
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
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M0 0L8 4L0 8z" />
          </marker>
        </defs>
        {chart.edges.map(({ from, to, label }) => {
          const [start, end] = [at.get(from), at.get(to)];
          return start && end && <Arrow key={`${from}${to}${label}`} from={start} to={end} label={label} />;
        })}
        {nodes.map((node) => (
          <Box key={node.key} node={node} people={people[node.title]} isOnWay={way.includes(node.title)} />
        ))}
      </svg>
    </div>
  );
}

function Arrow({ from, to, label }: { from: Placed; to: Placed; label: string }) {
  const isBack = to.y <= from.y;
  const [x1, y1] = [from.x + BOX.width / 2, from.y + BOX.height];
  const [x2, y2] = [to.x + BOX.width / 2, to.y];
  const side = Math.max(from.x, to.x) + BOX.width + MARGIN;
  const line = isBack
    ? `M${from.x + BOX.width} ${from.y + BOX.height / 2}C${side + MARGIN} ${from.y + BOX.height / 2} ${side + MARGIN} ${to.y + BOX.height / 2} ${to.x + BOX.width + 2} ${to.y + BOX.height / 2}`
    : `M${x1} ${y1}C${x1} ${y1 + BOX.gapY / 2} ${x2} ${y2 - BOX.gapY / 2} ${x2} ${y2 - 2}`;
  return (
    <g>
      <path class="arrow" d={line} marker-end="url(#arrow)" />
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

function Box({ node, people, isOnWay }: { node: Placed; people: number | undefined; isOnWay: boolean }) {
  const { x, y, title, does, shape } = node;
  return (
    <g class={isOnWay ? "box on-way" : "box"}>
      <title>{[title, does].filter(Boolean).join(": ")}</title>
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
      {people !== undefined && people > 0 && (
        <g>
          <rect x={x + BOX.width - 34} y={y - 11} width="46" height="22" rx="11" class="people" />
          <text x={x + BOX.width - 11} y={y + 5} text-anchor="middle" class="people">
            {count(people)}
          </text>
        </g>
      )}
    </g>
  );
}

function short(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
