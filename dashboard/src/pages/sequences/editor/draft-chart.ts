import { editing } from "../../../words/editing.ts";
import type { FlowEdge, Flowchart, FlowNode } from "../flowchart.ts";
import { fieldsOf, stepsOf, textOf, type DraftStep, type Fields } from "./draft.ts";

/*
 * A sequence that is being written, as boxes and arrows: at once, and with whatever is wrong in it. Of one that is
 * right the API draws the same, by a test.
 */

const say = editing.does;

/** As the API writes it into boxes and onto arrows. */
const MOST_LABEL_CHARS = 60;

export const START = "start";
const END = "completed";

export function keyOf(index: number): string {
  return `s${index}`;
}

/** Undefined: it is the box of no step. */
export function indexOf(key: string): number | undefined {
  const [, index] = /^s(\d+)$/.exec(key) ?? [];
  return index === undefined ? undefined : Number(index);
}

export function chartOf(value: unknown): Flowchart {
  const steps = stepsOf(value);
  const keys = new Map(steps.map(({ id, index }) => [id, keyOf(index)]));
  const nodes: FlowNode[] = [
    { key: START, title: label(textOf(fieldsOf(value)["name"])), does: undefined, shape: "round" },
  ];
  const edges: FlowEdge[] = steps.length > 0 ? [{ from: START, label: "", to: keyOf(0) }] : [];
  let completes = false;
  for (const step of steps) {
    const from = keyOf(step.index);
    const following = steps[step.index + 1];
    nodes.push({ key: from, title: label(step.id), does: label(wordsOf(step)), shape: shapeOf(step) });
    for (const { to, label: says } of waysOf(step, following?.id)) {
      const target = keys.get(to);
      if (target !== undefined) edges.push({ from, label: label(says), to: target });
    }
    if (following || !fallsThrough(step) || step.fields["next"] !== undefined) continue;
    completes = true;
    edges.push({ from, label: "", to: END });
  }
  if (completes) nodes.push({ key: END, title: say.end, does: undefined, shape: "round" });
  return { nodes, edges };
}

function label(text: string): string {
  const short = text.length <= MOST_LABEL_CHARS ? text : `${text.slice(0, MOST_LABEL_CHARS - 1)}…`;
  return short.replaceAll(/\s+/g, " ");
}

interface Way {
  to: string;
  label: string;
}

function waysOf({ fields, kind }: DraftStep, following: string | undefined): Way[] {
  const listed = (["branch", "split"] as const).flatMap((list) => waysOfList(fields, list));
  const told = Object.entries(fieldsOf(fields["on"])).flatMap(([way, to]) =>
    typeof to === "string" ? [{ to, label: way }] : [],
  );
  const ways = [...listed, ...told];
  if (kind === "branch" || kind === "split" || kind === "exit") return ways;
  const { next } = fields;
  if (typeof next === "string") return [...ways, { to: next, label: "" }];
  const falls = fields["on"] === undefined || kind === "wait" || kind === "set";
  return falls && following !== undefined ? [...ways, { to: following, label: "" }] : ways;
}

function waysOfList(fields: Fields, kind: "branch" | "split"): Way[] {
  const list = fields[kind];
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) => {
    const way = fieldsOf(entry);
    const to = way["otherwise"] ?? way["to"];
    if (typeof to !== "string") return [];
    return [{ to, label: textOf(kind === "split" ? way["weight"] : (way["when"] ?? say.otherwise)) }];
  });
}

/** Whether the end of the list is a way out of it. */
function fallsThrough({ kind, fields }: DraftStep): boolean {
  if (kind === "branch" || kind === "split" || kind === "exit") return false;
  return fields["on"] === undefined || kind === "wait" || kind === "set";
}

function shapeOf({ kind }: DraftStep): FlowNode["shape"] {
  switch (kind) {
    case "branch":
    case "split":
      return "choice";
    case "wait":
    case "wait_for":
      return "round";
    case "exit":
      return "end";
    case undefined:
    case "call":
    case "automation":
    case "webhook":
    case "set":
    case "suppress":
      return "box";
  }
}

function wordsOf({ kind, fields }: DraftStep): string {
  const of = kind === undefined ? {} : fieldsOf(fields[kind]);
  const said = (name: string) => textOf(of[name]);
  switch (kind) {
    case undefined:
      return say.nothing;
    case "call":
    case "branch":
    case "split":
      return say[kind];
    case "wait":
      return waitWords(of);
    case "wait_for":
      return say.waitFor(said("event"), said("timeout"));
    case "automation":
      return say.automation(said("workflow_id"));
    case "webhook":
      return webhookWords(of["url"]);
    case "set":
      return say.set(Object.keys(of));
    case "suppress":
      return say.suppress(said("scope") || "brand");
    case "exit":
      return say.exit(said("outcome"));
  }
}

function waitWords(of: Fields): string {
  const said = (name: string) => textOf(of[name]);
  if (of["for"] !== undefined) return say.wait(said("for"));
  if (of["business_days"] !== undefined)
    return say.businessDays(said("business_days"), of["business_days"] === 1, said("at"));
  if (of["until"] !== undefined) {
    const { days } = of;
    return say.until(said("until"), Array.isArray(days) ? days.join() : textOf(days));
  }
  return say.untilDate(said("until_date"), said("offset"), said("at"));
}

function webhookWords(url: unknown): string {
  if (typeof url !== "string") return say.webhookBySecret(textOf(fieldsOf(url)["secret"]));
  return say.webhook(URL.canParse(url) ? new URL(url).host : url);
}
