import { nearMiss } from "../ground/near-miss.ts";
import type { SpecProblem } from "../ground/spec-problems.ts";

/*
 * The way that the steps of a sequence make: every target is a step, every step is on a way from the first, and no
 * way goes round without a wait in it.
 *
 * It is judged on what was written, not on what was read: a sequence with a misspelt field is told of its missing
 * steps in the same breath.
 */

/** One way out of a step. */
export interface Way {
  to: string;
  /** What is written on it: `answered`, `otherwise`, `50`; empty where it is the only one. */
  label: string;
  /** Where it is written, below its step. Undefined where it follows from the order of the list. */
  field: string | undefined;
  /** Whether it is waited before it is taken: a wait, a wait_for. */
  paused: boolean;
}

interface Node {
  id: string;
  ways: Way[];
}

/** A list of steps that is longer is told in part. */
const MAX_NAMED = 12;

/** Problems of a definition's way; none where its steps can't be told from one another at all. */
export function graphProblems(definition: unknown): SpecProblem[] {
  const steps = isGroup(definition) ? definition["steps"] : undefined;
  if (!Array.isArray(steps) || !steps.every((step) => isGroup(step) && typeof step["id"] === "string"))
    return [];
  const nodes = steps.map((step: Group, index) => ({
    id: String(step["id"]),
    ways: waysOf(step, nextId(steps, index)),
  }));
  const twice = idsGivenTwice(nodes);
  // With two steps of one name, what leads where is anybody's guess.
  if (twice.length > 0) return [...twice, ...unknownTargets(nodes)];
  const astray = unknownTargets(nodes);
  // A step is never reached, more often than not, because the one that leads there misspells it.
  return [...astray, ...(astray.length > 0 ? [] : unreachable(nodes)), ...endlessRounds(nodes)];
}

type Group = Readonly<Record<string, unknown>>;

function isGroup(value: unknown): value is Group {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nextId(steps: readonly Group[], index: number): string | undefined {
  const next = steps[index + 1];
  return next && String(next["id"]);
}

/**
 * The ways out of a step, `following` being the one behind it in the list. One that leads out of the list leads to
 * the end, and is none.
 */
export function waysOf(step: object, following: string | undefined): Way[] {
  const written: Group = { ...step };
  const ways = [...waysOfList(written, "branch"), ...waysOfList(written, "split"), ...waysOfOn(written)];
  if (written["branch"] !== undefined || written["split"] !== undefined || written["exit"] !== undefined)
    return ways;
  const { next } = written;
  const to = typeof next === "string" ? next : following;
  if (to !== undefined && (typeof next === "string" || fallsThrough(written)))
    ways.push({
      to,
      label: "",
      field: typeof next === "string" ? "next" : undefined,
      paused: isWait(written),
    });
  return ways;
}

function waysOfList(step: Group, kind: "branch" | "split"): Way[] {
  const list = step[kind];
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown, index): Way[] => {
    if (!isGroup(entry)) return [];
    const key = "otherwise" in entry ? "otherwise" : "to";
    const to = entry[key];
    if (typeof to !== "string") return [];
    const said = kind === "split" ? entry["weight"] : (entry["when"] ?? "otherwise");
    return [{ to, label: String(said), field: `${kind}[${index}].${key}`, paused: false }];
  });
}

function waysOfOn(step: Group): Way[] {
  const { on } = step;
  if (!isGroup(on)) return [];
  // A wait goes one of these ways where it does not wait.
  const paused = isWait(step) && !isGroup(step["wait"]);
  return Object.entries(on).flatMap(([label, to]) =>
    typeof to === "string" ? [{ to, label, field: `on.${label}`, paused }] : [],
  );
}

/** Where `on` speaks of everything that may come, the step behind it in the list is not its next one. */
function fallsThrough(step: Group): boolean {
  const { on } = step;
  if (!isGroup(on)) return true;
  return !("call" in step || "wait_for" in step || "automation" in step || "webhook" in step);
}

/** A call is none: to a number that is busy, or can't be called, it takes seconds, and would be made for ever. */
function isWait(step: Group): boolean {
  const { wait } = step;
  // A date may be over already, each time that it is asked.
  if (isGroup(wait)) return wait["until_date"] === undefined;
  return "wait_for" in step;
}

function idsGivenTwice(nodes: readonly Node[]): SpecProblem[] {
  const first = new Map<string, number>();
  return nodes.flatMap(({ id }, index) => {
    const before = first.get(id);
    if (before === undefined) first.set(id, index);
    return before === undefined
      ? []
      : [{ field: `steps[${index}].id`, problem: `is the id of steps[${before}], too: each needs its own` }];
  });
}

function unknownTargets(nodes: readonly Node[]): SpecProblem[] {
  const ids = nodes.map(({ id }) => id);
  const known = new Set(ids);
  const named = ids.length > MAX_NAMED ? `${ids.slice(0, MAX_NAMED).join(", ")} and others` : ids.join(", ");
  return nodes.flatMap(({ ways }, index) =>
    ways
      .filter(({ to, field }) => field !== undefined && !known.has(to))
      .map(({ to, field }) => ({
        field: `steps[${index}].${field}`,
        problem: `names ${to}, which is no step${nearMiss(to, ids)}: there are ${named}`,
      })),
  );
}

function unreachable(nodes: readonly Node[]): SpecProblem[] {
  const [start] = nodes;
  if (!start) return [];
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const seen = new Set<string>();
  const waiting = [start];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (seen.has(node.id)) continue;
    seen.add(node.id);
    for (const { to } of node.ways) {
      const target = byId.get(to);
      if (target) waiting.push(target);
    }
  }
  return nodes.flatMap(({ id }, index) =>
    seen.has(id)
      ? []
      : [
          {
            field: `steps[${index}]`,
            problem: `is never reached: no step leads to ${id}, so lead there or remove it`,
          },
        ],
  );
}

/** One problem for each step that closes a round without a wait. */
function endlessRounds(nodes: readonly Node[]): SpecProblem[] {
  const indexById = new Map(nodes.map(({ id }, index) => [id, index]));
  const state = nodes.map((): "new" | "open" | "done" => "new");
  const problems: SpecProblem[] = [];
  const path: number[] = [];
  const visit = (index: number): void => {
    state[index] = "open";
    path.push(index);
    for (const { to, paused } of nodes[index]?.ways ?? []) {
      const target = indexById.get(to);
      if (paused || target === undefined) continue;
      if (state[target] === "open") {
        const round = [...path.slice(path.indexOf(target)), target].map((at) => nodes[at]?.id ?? "");
        problems.push({
          field: `steps[${index}]`,
          problem: `goes round without a pause (${round.join(" → ")}): put a wait or a wait_for into it`,
        });
      } else if (state[target] === "new") visit(target);
    }
    path.pop();
    state[index] = "done";
  };
  for (const index of nodes.keys()) {
    if (state[index] === "new") visit(index);
  }
  return problems;
}
