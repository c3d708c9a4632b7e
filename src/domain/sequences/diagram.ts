import { workOf, type SequenceDefinition, type Step, type Work } from "./definition.ts";
import { waysOf } from "./graph.ts";

/** What is written into a box or on an arrow: more makes the drawing unreadable. */
const MAX_LABEL_CHARS = 60;

/**
 * A definition as a Mermaid flowchart. Every text of its author's is quoted and escaped: it can neither end a label
 * nor begin a statement. Boxes are named by their place, since ids such as `end` mean something to Mermaid.
 */
export function mermaidOf(definition: SequenceDefinition): string {
  const { steps } = definition;
  const nodeById = new Map(steps.map(({ id }, index) => [id, `s${index}`]));
  const lines = ["flowchart TD", `  start(["${escaped(definition.name)}"]) --> s0`];
  let completes = false;
  for (const [index, step] of steps.entries()) {
    const node = `s${index}`;
    lines.push(`  ${node}${boxOf(step)}`);
    const ways = waysOf(step, steps[index + 1]?.id);
    for (const { to, label } of ways) {
      const target = nodeById.get(to);
      if (target) lines.push(`  ${node} ${label === "" ? "-->" : `-->|"${escaped(label)}"|`} ${target}`);
    }
    if (endsHere(step, steps[index + 1])) {
      completes = true;
      lines.push(`  ${node} --> completed`);
    }
  }
  if (completes) lines.push('  completed(["completed"])');
  return `${lines.join("\n")}\n`;
}

/** The last step of the list leads out of it, unless it says where to. */
function endsHere(step: Step, following: Step | undefined): boolean {
  if (following || step.next !== undefined || step.branch || step.split || step.exit) return false;
  return step.on === undefined || step.wait !== undefined || step.set !== undefined;
}

function boxOf(step: Step): string {
  const work = workOf(step);
  const text = `${escaped(step.id)}<br/>${escaped(wordsOf(work))}`;
  switch (work.kind) {
    case "branch":
    case "split":
      return `{"${text}"}`;
    case "wait":
    case "wait_for":
      return `(["${text}"])`;
    case "exit":
      return `[["${text}"]]`;
    case "call":
    case "automation":
    case "webhook":
    case "set":
    case "suppress":
      return `["${text}"]`;
  }
}

function wordsOf(work: Work): string {
  switch (work.kind) {
    case "call":
      return "call";
    case "wait": {
      const { for: duration, until, days, business_days: business, until_date: date, at, offset } = work.spec;
      if (duration !== undefined) return `wait ${duration}`;
      if (business !== undefined)
        return `wait ${business} business ${business === 1 ? "day" : "days"}${at === undefined ? "" : ` at ${at}`}`;
      if (until !== undefined) return `wait until ${until}${days === undefined ? "" : ` (${String(days)})`}`;
      return `wait until ${date ?? ""}${offset === undefined ? "" : ` ${offset}`}${at === undefined ? "" : ` at ${at}`}`;
    }
    case "wait_for":
      return `wait for ${work.spec.event}, ${work.spec.timeout} at most`;
    case "branch":
      return "branch";
    case "split":
      return "split";
    case "automation":
      return `automation ${work.spec.workflow_id}`;
    case "webhook":
      return typeof work.spec.url === "string"
        ? `webhook to ${new URL(work.spec.url).host}`
        : `webhook to the address in secret ${work.spec.url.secret}`;
    case "set":
      return `set ${Object.keys(work.spec).join(", ")}`;
    case "suppress":
      return `suppress (${work.spec.scope})`;
    case "exit":
      return `exit: ${work.spec.outcome}`;
  }
}

/** Mermaid reads entities in quoted text; `#` begins its own kind of them. */
function escaped(text: string): string {
  const short = text.length <= MAX_LABEL_CHARS ? text : `${text.slice(0, MAX_LABEL_CHARS - 1)}…`;
  return short
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[#&"<>|`[\]{}()\\;%]/g, (character) => `#${character.codePointAt(0) ?? 0};`);
}
