import { isNode, LineCounter, parseDocument } from "yaml";

/** What is wrong with a document, and where. */
export interface Trouble {
  /** From 1; undefined: it is about the whole. */
  line: number | undefined;
  field: string;
  message: string;
}

export interface Reading {
  /** Undefined: it is no YAML. */
  value: unknown;
  trouble: readonly Trouble[];
  /** Where a field of it stands, such as `steps[2].on`; the nearest there is where itself is not. */
  lineOf: (field: string) => number | undefined;
}

/** Reads a document as far as it can be read here; what it means, the server says. */
export function readYaml(text: string): Reading {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const trouble = document.errors.map(({ pos, message }) => ({
    line: lines.linePos(pos[0]).line,
    field: "",
    message,
  }));
  const lineOf = (field: string) => {
    for (let path = pathOf(field); path.length > 0; path = path.slice(0, -1)) {
      const node: unknown = document.getIn(path, true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return undefined;
  };
  return { value: trouble.length > 0 ? undefined : document.toJS(), trouble, lineOf };
}

/** `definition.steps[2].on` is at steps, 2, on: what the request's body calls the document is not in it. */
function pathOf(field: string): (string | number)[] {
  const parts = field.split(/[.[\]]+/).filter((part) => part !== "");
  const inside = parts[0] === "definition" || parts[0] === "spec" ? parts.slice(1) : parts;
  return inside.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
