import { editing as say } from "../../../words/editing.ts";
import { fieldsOf, textOf, withEntry, withField, type Fields } from "./draft.ts";
import { Field, Labelled, type Change } from "./inputs.tsx";
import { Remove } from "./step-ways.tsx";
import type { Input } from "./step-fields.ts";

/** What is asked for of a sequence as a whole; everything else of it is in its text. */
const WHOLE: readonly (readonly [name: string, input: Input])[] = [
  ["name", { as: "text" }],
  ["brand", { as: "text", hint: "default" }],
  ["agent_id", { as: "text" }],
  ["from_numbers", { as: "lines" }],
  ["concurrency", { as: "number", least: 1, most: 100_000 }],
  ["default_region", { as: "text", hint: "US" }],
  ["least_gap", { as: "duration" }],
];

const AGAIN = ["ignore", "restart", "parallel"] as const;

/** The sequence itself: who calls, and what ends it. */
export function SequenceForm({ fields, change }: { fields: Fields; change: Change }) {
  const retry = fieldsOf(fields["retry"]);
  const again = fieldsOf(fields["re_enrolment"]);
  return (
    <div class="stack">
      <div class="fields">
        {WHOLE.map(([name, input]) => (
          <Field
            key={name}
            name={name}
            label={say.name[name] ?? name}
            input={input}
            value={fields[name]}
            path={[name]}
            change={change}
          />
        ))}
        <Field
          name="max_attempts"
          label={say.name["max_attempts"] ?? ""}
          input={{ as: "number", least: 1, most: 10 }}
          value={retry["max_attempts"]}
          path={["retry", "max_attempts"]}
          change={change}
        />
        <Labelled label={say.again}>
          <select
            value={textOf(again["policy"]) || "ignore"}
            onChange={({ currentTarget }) =>
              change((text) => withField(text, ["re_enrolment", "policy"], currentTarget.value))
            }
          >
            {AGAIN.map((one) => (
              <option key={one} value={one}>
                {say.againChoices[one]}
              </option>
            ))}
          </select>
        </Labelled>
      </div>
      <Goals value={fields["goals"]} change={change} />
      <p class="small quiet">{say.wholeByText}</p>
    </div>
  );
}

function Goals({ value, change }: { value: unknown; change: Change }) {
  const goals: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <fieldset>
      <legend>{say.goals}</legend>
      {goals.map((goal, n) => (
        <div class="entry" key={n}>
          <Labelled label={say.goal(n + 1)}>
            <input
              class="mono"
              spellcheck={false}
              value={textOf(fieldsOf(goal)["when"])}
              onInput={({ currentTarget }) =>
                change((text) => withField(text, ["goals", n, "when"], currentTarget.value))
              }
            />
          </Labelled>
          <Labelled label={say.goalOutcome(n + 1)}>
            <input
              spellcheck={false}
              value={textOf(fieldsOf(goal)["outcome"])}
              onInput={({ currentTarget }) =>
                change((text) => withField(text, ["goals", n, "outcome"], currentTarget.value))
              }
            />
          </Labelled>
          <Remove what={say.goal(n + 1)} at={["goals", n]} change={change} />
        </div>
      ))}
      <p>
        <button
          type="button"
          onClick={() =>
            change((text) =>
              withEntry(text, ["goals"], goals.length, {
                when: 'events.exists(e, e.name == "purchased")',
                outcome: "won",
              }),
            )
          }
        >
          {say.addGoal}
        </button>
      </p>
    </fieldset>
  );
}
