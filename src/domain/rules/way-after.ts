import type { JsonValue } from "../expressions/expressions.ts";
import type { SequenceDefinition } from "../sequences/definition.ts";
import { startPosition, takeTurn, type TurnFacts, type TurnInput } from "../sequences/turn.ts";

/** Where somebody goes whose call of a step is over. */
export interface Way {
  /** Steps that are passed on the way, branches and splits with the one that they lead to: `which -> offer`. */
  passed: string[];
  /** The step at which the person is then; null: past the last one, or at the end. */
  step: string | null;
  /** How it ends there; null: it goes on. */
  outcome: string | null;
  problems: string[];
}

type Over = Omit<Extract<TurnInput, { kind: "call_over" }>, "kind" | "callNo">;

/** Takes the turn that the end of a call would be, from the step that made it. What it asks for is not done. */
export function wayAfter(input: {
  definition: SequenceDefinition;
  stepId: string;
  variables: Readonly<Record<string, string>>;
  facts: TurnFacts;
  over: Over;
  nowMs: number;
}): Way {
  const { definition, stepId, variables, facts, over, nowMs } = input;
  const beginning = startPosition(definition, variables);
  const turn = takeTurn({
    definition,
    position: {
      ...beginning,
      step: stepId,
      waiting: { for: "call", callNo: 1, untilMs: nowMs + 1 },
      counters: { ...beginning.counters, steps: 1, calls: 1 },
    },
    inputs: [{ kind: "call_over", callNo: 1, ...over }],
    facts,
    nowMs,
  });
  const { position, journey } = turn;
  return {
    passed: journey.flatMap(({ step = "", what, detail }) =>
      what === "branch" || what === "split" ? [`${step} -> ${wordIn(detail["to"])}`] : [],
    ),
    step: position.ended ? null : position.step,
    outcome: position.ended?.outcome ?? null,
    problems: journey.flatMap(({ step = "", what, detail }) =>
      what === "problem" ? [`step ${step}: ${wordIn(detail["problem"])}`] : [],
    ),
  };
}

function wordIn(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
