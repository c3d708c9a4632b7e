import { term } from "../../../format.ts";
import { editing as say } from "../../../words/editing.ts";
import { fieldsOf, textOf, withEntry, withField, type DraftStep } from "./draft.ts";
import { Labelled, Target, type Change } from "./inputs.tsx";
import { WAYS } from "./step-fields.ts";

export interface WaysProps {
  step: DraftStep;
  /** Of all steps, in their order. */
  ids: readonly string[];
  change: Change;
}

/** The conditions of a branch, in the order in which they are asked. */
export function BranchForm({ step, ids, change }: WaysProps) {
  const list: readonly unknown[] = Array.isArray(step.fields["branch"]) ? step.fields["branch"] : [];
  const path = ["steps", step.index, "branch"];
  const last = list.findIndex((way) => "otherwise" in fieldsOf(way));
  return (
    <div class="stack">
      {list.map((entry, n) => {
        const way = fieldsOf(entry);
        if ("otherwise" in way)
          return (
            <Target
              key={n}
              label={say.otherwise}
              value={way["otherwise"]}
              ids={ids}
              choose={(id) => change((text) => withField(text, [...path, n, "otherwise"], id ?? ""))}
            />
          );
        return (
          <div class="entry" key={n}>
            <Labelled label={say.case(n + 1)}>
              <input
                class="mono"
                spellcheck={false}
                value={textOf(way["when"])}
                onInput={({ currentTarget }) =>
                  change((text) => withField(text, [...path, n, "when"], currentTarget.value))
                }
              />
            </Labelled>
            <Target
              label={say.to}
              value={way["to"]}
              ids={ids}
              choose={(id) => change((text) => withField(text, [...path, n, "to"], id ?? ""))}
            />
            <Remove what={say.case(n + 1)} at={[...path, n]} change={change} />
          </div>
        );
      })}
      <p>
        <button
          type="button"
          onClick={() =>
            change((text) =>
              withEntry(text, path, last === -1 ? list.length : last, { when: "false", to: ids[0] ?? "" }),
            )
          }
        >
          {say.addCase}
        </button>
      </p>
    </div>
  );
}

/** The ways of a split, and how many of all people take each. */
export function SplitForm({ step, ids, change }: WaysProps) {
  const list: readonly unknown[] = Array.isArray(step.fields["split"]) ? step.fields["split"] : [];
  const path = ["steps", step.index, "split"];
  return (
    <div class="stack">
      {list.map((entry, n) => {
        const way = fieldsOf(entry);
        return (
          <div class="entry" key={n}>
            <Labelled label={say.weight(n + 1)}>
              <input
                type="number"
                min={0}
                value={textOf(way["weight"])}
                onInput={({ currentTarget: { value } }) =>
                  change((text) =>
                    withField(text, [...path, n, "weight"], value === "" ? undefined : Number(value)),
                  )
                }
              />
            </Labelled>
            <Target
              label={say.to}
              value={way["to"]}
              ids={ids}
              choose={(id) => change((text) => withField(text, [...path, n, "to"], id ?? ""))}
            />
            <Remove what={say.weight(n + 1)} at={[...path, n]} change={change} />
          </div>
        );
      })}
      <p>
        <button
          type="button"
          onClick={() =>
            change((text) => withEntry(text, path, list.length, { weight: 50, to: ids[0] ?? "" }))
          }
        >
          {say.addWay}
        </button>
      </p>
    </div>
  );
}

interface RemoveProps {
  what: string;
  at: readonly (string | number)[];
  change: Change;
}

export function Remove({ what, at, change }: RemoveProps) {
  return (
    <button
      type="button"
      aria-label={say.remove(what)}
      title={say.remove(what)}
      onClick={() => change((text) => withField(text, at, undefined))}
    >
      ✕
    </button>
  );
}

/** Where it goes on to, by what came of it and otherwise. */
export function OnForm({ step, ids, change }: WaysProps) {
  const { index, kind, fields } = step;
  if (kind === undefined || kind === "branch" || kind === "split" || kind === "exit") return null;
  const on = fieldsOf(fields["on"]);
  const ways = [...new Set([...(WAYS[kind] ?? []), ...Object.keys(on)])];
  const path = ["steps", index];
  // Where `on` is to speak of everything that may come, the step behind it is not its next one by itself.
  const goesByWays = Object.keys(on).length > 0 && kind !== "wait" && kind !== "set";
  return (
    <>
      <Target
        label={say.next}
        value={fields["next"]}
        ids={ids}
        none={goesByWays ? say.nextByWays : say.nextInList(ids[index + 1])}
        choose={(id) => change((text) => withField(text, [...path, "next"], id))}
      />
      {ways.length > 0 && (
        <details open={Object.keys(on).length > 0}>
          <summary>{say.on}</summary>
          <div class="stack">
            <p class="small quiet">{say.onMeans}</p>
            <div class="fields">
              {ways.map((way) => (
                <Target
                  key={way}
                  label={term(way)}
                  value={on[way]}
                  ids={ids}
                  none={say.none}
                  choose={(id) => change((text) => withField(text, [...path, "on", way], id))}
                />
              ))}
            </div>
          </div>
        </details>
      )}
    </>
  );
}
