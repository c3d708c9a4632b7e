/** What the API draws of a sequence, read back: boxes and arrows of a Mermaid flowchart, as this API writes it. */
export interface Flowchart {
  nodes: readonly FlowNode[];
  edges: readonly FlowEdge[];
}

export interface FlowNode {
  key: string;
  /** Of a step: its id. Of its beginning and end: what they are called. */
  title: string;
  /** What it does. */
  does: string | undefined;
  shape: "box" | "round" | "choice" | "end";
}

export interface FlowEdge {
  from: string;
  to: string;
  label: string;
}

const NODE = /^(\w+)(\(\[|\{|\[\[|\[)"(.*?)"(?:\]\)|\}|\]\]|\])(?: --> (\w+))?$/;
const EDGE = /^(\w+) -->(?:\|"(.*?)"\|)? (\w+)$/;
const SHAPES = { "([": "round", "{": "choice", "[[": "end", "[": "box" } as const;

export function readFlowchart(text: string): Flowchart {
  const nodes: FlowNode[] = [];
  const edges: FlowEdge[] = [];
  for (const line of text.split("\n").map((one) => one.trim())) {
    const edge = EDGE.exec(line);
    if (edge) {
      edges.push({ from: edge[1] ?? "", label: unescaped(edge[2] ?? ""), to: edge[3] ?? "" });
      continue;
    }
    const node = NODE.exec(line);
    if (!node) continue;
    const [, key = "", open = "[", label = "", to] = node;
    const [title = "", does] = label.split("<br/>").map(unescaped);
    nodes.push({ key, title, does, shape: SHAPES[open as keyof typeof SHAPES] });
    if (to !== undefined) edges.push({ from: key, label: "", to });
  }
  return { nodes, edges };
}

function unescaped(text: string): string {
  return text.replaceAll(/#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

export interface Placed extends FlowNode {
  x: number;
  y: number;
}

export const BOX = { width: 190, height: 54, gapX: 44, gapY: 56 } as const;

/** Each box under all that lead to it, those of a row beside each other; arrows back up are left to the drawing. */
export function placed({ nodes, edges }: Flowchart): {
  nodes: readonly Placed[];
  width: number;
  height: number;
} {
  const order = new Map(nodes.map(({ key }, index) => [key, index]));
  const rows = new Map<string, number>();
  for (const { key } of nodes) {
    const own = order.get(key) ?? 0;
    const above = edges.filter(({ from, to }) => to === key && (order.get(from) ?? 0) < own);
    rows.set(key, Math.max(0, ...above.map(({ from }) => (rows.get(from) ?? 0) + 1)));
  }
  const inRow = new Map<number, number>();
  const result = nodes.map((node) => {
    const row = rows.get(node.key) ?? 0;
    const column = inRow.get(row) ?? 0;
    inRow.set(row, column + 1);
    return { ...node, x: column * (BOX.width + BOX.gapX), y: row * (BOX.height + BOX.gapY) };
  });
  const widest = Math.max(1, ...inRow.values());
  // Rows are centred under each other.
  const width = widest * (BOX.width + BOX.gapX) - BOX.gapX;
  const centred = result.map((node) => {
    const many = inRow.get(rows.get(node.key) ?? 0) ?? 1;
    return { ...node, x: node.x + (width - (many * (BOX.width + BOX.gapX) - BOX.gapX)) / 2 };
  });
  return { nodes: centred, width, height: Math.max(...result.map(({ y }) => y), 0) + BOX.height };
}
