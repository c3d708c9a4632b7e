import { z } from "zod";

import { pathsOf } from "../expressions/expressions.ts";

/*
 * Columns of a campaign's lists whose values are sealed in the ledger (ledger/ground/data-keys.ts), and are opened for the
 * agent alone. Whatever else reads a contact does not have them, so that a spec which would is refused here, where
 * somebody can still change it.
 */

/** Each is sealed for itself, some microseconds a value: a list of more is rather to be thought over. */
const MOST_SENSITIVE = 20;

export const sensitiveSchema = z
  .array(z.string().min(1).max(100))
  .min(1)
  .max(MOST_SENSITIVE)
  .refine((names) => new Set(names).size === names.length, "names a column twice");

/** The parts of a spec that may name a column of its lists. */
interface Naming {
  sensitive?: readonly string[] | undefined;
  contact_priority?: { column: string } | undefined;
}

/**
 * What of a spec would read a sensitive column, each with its place.
 *
 * @param rules the expressions of each of its follow-up rules, in their order
 */
export function sensitiveProblems(
  { sensitive = [], contact_priority: priority }: Naming,
  rules: readonly (readonly string[])[],
): { path: (string | number)[]; message: string }[] {
  const problems: { path: (string | number)[]; message: string }[] = [];
  if (priority && sensitive.includes(priority.column))
    problems.push({
      path: ["contact_priority", "column"],
      message: `${priority.column} is sensitive, and who is called first can be seen: take another column, or take it out of sensitive`,
    });
  for (const [index, sources] of rules.entries()) {
    const paths = sources.flatMap((source) => pathsOf(source, "follow_up", "variables"));
    const read = new Set(paths.map(([field]) => field));
    const ofCall = sources.flatMap((source) => pathsOf(source, "follow_up", "call"));
    const echoes = new Set(ofCall.flatMap(([field, name]) => (field === "dynamic_variables" ? [name] : [])));
    const wrong = sensitive.find((name) => read.has(name));
    const echoed = sensitive.find((name) => echoes.has(name));
    if (echoed !== undefined)
      problems.push({
        path: ["follow_ups", index],
        message: `reads call.dynamic_variables.${echoed}, which is sensitive: rules and what they send do not have it, as the platform tells it back either. Leave it out of the rule, or take it out of sensitive`,
      });
    if (wrong !== undefined)
      problems.push({
        path: ["follow_ups", index],
        message: `reads variables.${wrong}, which is sensitive: rules and what they send do not have it. Leave it out of the rule, or take it out of sensitive`,
      });
  }
  return problems;
}

/** The platform's record of a call repeats what it was made with: the call, without what is sensitive of that. */
export function withoutSensitive<Call extends Readonly<Record<string, unknown>>>(
  call: Call,
  sensitive: readonly string[],
): Call {
  const echoed = call["dynamic_variables"];
  if (sensitive.length === 0 || typeof echoed !== "object" || echoed === null) return call;
  const kept = Object.entries(echoed).filter(([name]) => !sensitive.includes(name));
  return { ...call, dynamic_variables: Object.fromEntries(kept) };
}

/** A row's variables, those that are sensitive apart. */
export function splitSensitive(
  variables: Readonly<Record<string, string>>,
  sensitive: readonly string[],
): { open: Record<string, string>; secret: Record<string, string> } {
  const isSecret = (name: string) => sensitive.includes(name);
  const entries = Object.entries(variables);
  return {
    open: Object.fromEntries(entries.filter(([name]) => !isSecret(name))),
    secret: Object.fromEntries(entries.filter(([name]) => isSecret(name))),
  };
}
