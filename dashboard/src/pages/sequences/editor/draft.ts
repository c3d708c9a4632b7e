import { Document, isCollection, isMap, isScalar, isSeq, parseDocument } from "yaml";

import { editing as say } from "../../../words/editing.ts";

/*
 * A sequence that is being written: one text, which forms, diagram and text all change.
 *
 * 1. The text is the only state. What forms and the diagram show is read off it, and what they do is a change of it.
 * 2. A change keeps what it does not touch: comments, order, quotes, fields that no form knows.
 * 3. Nothing here judges: what is wrong with a definition the API says.
 */

export const KINDS = [
  "call",
  "wait",
  "wait_for",
  "branch",
  "split",
  "automation",
  "webhook",
  "set",
  "suppress",
  "exit",
] as const;

export type Kind = (typeof KINDS)[number];

export type Fields = Readonly<Record<string, unknown>>;
export type Path = readonly (string | number)[];

export interface DraftStep {
  index: number;
  /** Empty: it has none yet. */
  id: string;
  /** Undefined: it does nothing, or several things. */
  kind: Kind | undefined;
  fields: Fields;
}

/** Long lines stay as they are: an expression that is folded is harder to read. */
const AS_WRITTEN = { lineWidth: 0 } as const;

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";
}

/** The steps of a document that may be wrong elsewhere. */
export function stepsOf(value: unknown): DraftStep[] {
  const { steps } = fieldsOf(value);
  if (!Array.isArray(steps)) return [];
  return steps.map((step: unknown, index) => {
    const fields = fieldsOf(step);
    const kinds = KINDS.filter((kind) => fields[kind] !== undefined);
    return { index, id: textOf(fields["id"]), kind: kinds.length === 1 ? kinds[0] : undefined, fields };
  });
}

/** Of which step a problem is; undefined: of the whole. */
export function stepOfField(field: string): number | undefined {
  const [, index] = /^(?:definition\.)?steps\[(\d+)\]/.exec(field) ?? [];
  return index === undefined ? undefined : Number(index);
}

/** @throws Error where the text is no YAML, or the place is written as an alias */
function edited(text: string, change: (document: Document) => void): string {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw error;
  change(document);
  return document.toString(AS_WRITTEN);
}

/** Sets a field of it; undefined takes it out. */
export function withField(text: string, path: Path, value: unknown): string {
  return edited(text, (document) => {
    if (value === undefined) {
      document.deleteIn(path);
      dropEmpty(document, path.slice(0, -1));
      return;
    }
    for (let depth = 1; depth < path.length; depth += 1) {
      const above = path.slice(0, depth);
      const there: unknown = document.getIn(above, true);
      // `call:` without anything behind it is null: what is set below it needs a map there.
      if (there !== undefined && !isCollection(there) && isNothing(there))
        document.setIn(above, document.createNode({}));
    }
    document.setIn(path, typeof value === "object" ? document.createNode(value) : value);
  });
}

function isNothing(node: unknown): boolean {
  return node === null || (isScalar(node) && (node.value === null || node.value === ""));
}

/** `on` and `variables` without anything in them say nothing; what a step does stays, even where nothing more is said. */
function dropEmpty(document: Document, path: Path): void {
  const last = path.at(-1);
  if (last !== "on" && last !== "variables" && last !== "data") return;
  const node: unknown = document.getIn(path, true);
  if (isMap(node) && node.items.length === 0) document.deleteIn(path);
}

/** Calls an entry of a map otherwise, where it stands. */
export function withKey(text: string, path: Path, from: string, to: string): string {
  return edited(text, (document) => {
    const map: unknown = document.getIn(path, true);
    if (!isMap(map) || map.has(to)) return;
    for (const { key } of map.items) {
      if (isScalar(key) && key.value === from) key.value = to;
    }
  });
}

/** Puts another entry behind a list's place, or at its end. */
export function withEntry(text: string, path: Path, at: number, value: unknown): string {
  return edited(text, (document) => {
    const list: unknown = document.getIn(path, true);
    if (isSeq(list)) list.items.splice(at, 0, document.createNode(value));
    else document.setIn(path, document.createNode([value]));
  });
}

/** A step as it stands in the text, by itself. */
export function stepText(text: string, index: number): string {
  const document = parseDocument(text);
  const node: unknown = document.getIn(["steps", index], true);
  if (!isCollection(node)) return "";
  return new Document(node).toString(AS_WRITTEN);
}

/** @throws Error where it is no YAML, or no step could be it */
export function withStepText(text: string, index: number, step: string): string {
  const alone = parseDocument(step);
  const [error] = alone.errors;
  if (error) throw error;
  const { contents } = alone;
  if (!isMap(contents)) throw new Error(say.noFields);
  return edited(text, (document) => document.setIn(["steps", index], contents));
}

/** What a new step does at first, and what then is to be said of it. */
function firstWork(kind: Kind, target: string): unknown {
  switch (kind) {
    case "call":
      return {};
    case "wait":
      return { for: "1d" };
    case "wait_for":
      return { event: "paid", timeout: "3d" };
    case "branch":
      return [{ when: 'last_call.disposition == "answered"', to: target }, { otherwise: target }];
    case "split":
      return [
        { weight: 50, to: target },
        { weight: 50, to: target },
      ];
    case "automation":
      return { workflow_id: "" };
    case "webhook":
      return { url: "https://" };
    case "set":
      return { reminders: '"1"' };
    case "suppress":
      return { reason: say.reasonToSuppress };
    case "exit":
      return { outcome: "done" };
  }
}

/** Where a step leads by itself, without a word of what came of it; undefined: nowhere, or that is not one place. */
function plainWay(steps: readonly DraftStep[], { index, kind, fields }: DraftStep): string | undefined {
  if (kind === "branch" || kind === "split" || kind === "exit") return undefined;
  if (typeof fields["next"] === "string") return fields["next"];
  return fields["on"] === undefined ? steps[index + 1]?.id : undefined;
}

/** Puts a step behind another; what that led to by a word, the new one leads to now. */
export function withStepAfter(text: string, after: number, kind: Kind): { text: string; index: number } {
  const steps = stepsOf(parseDocument(text).toJS());
  const before = steps[after];
  const taken = new Set(steps.map(({ id }) => id));
  const id = freeId(kind, taken);
  const next = before?.fields["next"];
  const target = textOf(next) || steps[after + 1]?.id || before?.id || id;
  const leads = typeof next === "string" && kind !== "branch" && kind !== "split" && kind !== "exit";
  const step = { id, [kind]: firstWork(kind, target), ...(leads && { next }) };
  const added = withEntry(text, ["steps"], after + 1, step);
  return {
    text: typeof next === "string" ? withField(added, ["steps", after, "next"], id) : added,
    index: after + 1,
  };
}

function freeId(kind: Kind, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n += 1) {
    const id = n === 1 ? kind : `${kind}_${n}`;
    if (!taken.has(id)) return id;
  }
}

/** Takes a step out. Whatever led to it leads to where it led, where that is one place. */
export function withoutStep(text: string, index: number): string {
  const steps = stepsOf(parseDocument(text).toJS());
  const gone = steps[index];
  const to = gone && plainWay(steps, gone);
  const led = gone && to !== undefined && to !== gone.id ? redirected(text, gone.id, to) : text;
  return edited(led, (document) => document.deleteIn(["steps", index]));
}

/** Puts a step before the one above it, or behind the one below. */
export function withStepMoved(text: string, index: number, by: 1 | -1): string {
  return edited(text, (document) => {
    const steps: unknown = document.getIn(["steps"], true);
    if (!isSeq(steps)) return;
    const [step] = steps.items.splice(index, 1);
    steps.items.splice(index + by, 0, step);
  });
}

/**
 * Calls a step otherwise, wherever it is spoken of.
 *
 * @throws Error where another step is called so: what leads to which of both could not be told any more
 */
export function withStepCalled(text: string, index: number, id: string): string {
  const steps = stepsOf(parseDocument(text).toJS());
  const from = steps[index]?.id ?? "";
  if (id === "") throw new Error(say.noName);
  if (steps.some((step) => step.index !== index && step.id === id)) throw new Error(say.twice(id));
  return withField(from === "" ? text : redirected(text, from, id), ["steps", index, "id"], id);
}

function redirected(text: string, from: string, to: string): string {
  return edited(text, (document) => {
    for (const path of targetPaths(document.toJS())) {
      if (document.getIn(path) === from) document.setIn(path, to);
    }
  });
}

/** Every place of a document at which a step is named. */
function targetPaths(value: unknown): Path[] {
  return stepsOf(value).flatMap(({ index, fields }) => {
    const at = ["steps", index];
    const ways = (["branch", "split"] as const).flatMap((kind) => {
      const list = fields[kind];
      if (!Array.isArray(list)) return [];
      return list.flatMap((_: unknown, n) => [
        [...at, kind, n, "to"],
        [...at, kind, n, "otherwise"],
      ]);
    });
    return [
      [...at, "next"],
      ...Object.keys(fieldsOf(fields["on"])).map((way) => [...at, "on", way]),
      ...ways,
    ];
  });
}
