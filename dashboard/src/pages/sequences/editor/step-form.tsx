import { useState } from "preact/hooks";

import { wordsOf } from "../../../api/client.ts";
import { editing as say } from "../../../words/editing.ts";
import {
  fieldsOf,
  stepText,
  textOf,
  withField,
  withStepCalled,
  withStepText,
  type DraftStep,
  type Kind,
} from "./draft.ts";
import { Entries, Field, Labelled, NameInput, type Change } from "./inputs.tsx";
import { BY_TEXT, FIELDS, WAITS, type Input } from "./step-fields.ts";
import { BranchForm, OnForm, SplitForm, type WaysProps } from "./step-ways.tsx";

interface StepFormProps extends WaysProps {
  text: string;
}

/** One step, field by field; whatever has no field of its own is in its YAML. */
export function StepForm({ text, step, ids, change }: StepFormProps) {
  const { index } = step;
  return (
    <div class="stack">
      <Labelled label={say.id}>
        {/* Every way that leads to it is written anew. */}
        <NameInput name={step.id} take={(name) => change((before) => withStepCalled(before, index, name))} />
      </Labelled>
      <WorkForm step={step} ids={ids} change={change} />
      <OnForm step={step} ids={ids} change={change} />
      <StepText key={index} text={text} step={step} change={change} />
    </div>
  );
}

function WorkForm({ step, ids, change }: WaysProps) {
  const { kind, index, fields } = step;
  switch (kind) {
    case undefined:
      return <p class="note warn">{say.noKind}</p>;
    case "branch":
      return <BranchForm step={step} ids={ids} change={change} />;
    case "split":
      return <SplitForm step={step} ids={ids} change={change} />;
    case "set":
      return (
        <Entries label={say.kinds.set} value={fields["set"]} path={["steps", index, "set"]} change={change} />
      );
    case "wait":
      return <WaitForm step={step} change={change} />;
    case "call":
    case "wait_for":
    case "automation":
    case "webhook":
    case "suppress":
    case "exit":
      return <FieldsOf kind={kind} names={Object.keys(FIELDS[kind])} step={step} change={change} />;
  }
}

interface FieldsOfProps {
  kind: keyof typeof FIELDS;
  names: readonly string[];
  step: DraftStep;
  change: Change;
}

function FieldsOf({ kind, names, step, change }: FieldsOfProps) {
  const inputs: Readonly<Record<string, Input>> = FIELDS[kind];
  const values = fieldsOf(step.fields[kind]);
  return (
    <div class="fields">
      {names.map((name) => {
        const input = inputs[name];
        return (
          input && (
            <Field
              key={name}
              name={name}
              label={say.name[name] ?? name}
              input={input}
              value={values[name]}
              path={["steps", step.index, kind, name]}
              change={change}
            />
          )
        );
      })}
    </div>
  );
}

type WaitWay = keyof typeof WAITS;

const WAIT_WAYS = ["for", "until", "business_days", "until_date"] as const satisfies readonly WaitWay[];

const FIRST_WAITS: Readonly<Record<WaitWay, unknown>> = {
  for: "1d",
  until: "09:00",
  business_days: 1,
  until_date: "variables.due_date",
};

/** A wait is one of four, and each has its own fields. */
function WaitForm({ step, change }: { step: DraftStep; change: Change }) {
  const values = fieldsOf(step.fields["wait"]);
  const way = WAIT_WAYS.find((one) => values[one] !== undefined) ?? "for";
  const path = ["steps", step.index, "wait"];
  return (
    <>
      <Labelled label={say.waits}>
        <select
          value={way}
          onChange={({ currentTarget }) => {
            const to = WAIT_WAYS.find((one) => one === currentTarget.value) ?? "for";
            change((text) => withField(text, path, { [to]: FIRST_WAITS[to] }));
          }}
        >
          {WAIT_WAYS.map((one) => (
            <option key={one} value={one}>
              {say.waitWays[one]}
            </option>
          ))}
        </select>
      </Labelled>
      <FieldsOf kind="wait" names={WAITS[way]} step={step} change={change} />
    </>
  );
}

/** The step's own YAML. While what stands there is none, the document stays as it was. */
function StepText({ text, step, change }: { text: string; step: DraftStep; change: Change }) {
  const inDocument = stepText(text, step.index);
  const [own, setOwn] = useState<{ written: string; why: string }>();
  const fields = byTextOf(step.kind);
  return (
    <details open={step.kind === undefined}>
      <summary>{say.stepText}</summary>
      <div class="stack">
        {fields.length > 0 && <p class="small quiet">{say.byText(fields)}</p>}
        <label>
          <span class="visually-hidden">{say.stepText}</span>
          <textarea
            class="code small"
            spellcheck={false}
            value={own?.written ?? inDocument}
            onInput={({ currentTarget: { value } }) => {
              try {
                const changed = withStepText(text, step.index, value);
                // As it was written, until the field is left: whoever writes is not to have the text moved.
                setOwn({ written: value, why: "" });
                change(() => changed);
              } catch (error) {
                setOwn({ written: value, why: wordsOf(error).title });
              }
            }}
            onBlur={() => own?.why === "" && setOwn(undefined)}
          />
        </label>
        {own !== undefined && own.why !== "" && (
          <p class="note bad" role="alert">
            {own.why}
          </p>
        )}
      </div>
    </details>
  );
}

function byTextOf(kind: Kind | undefined): readonly string[] {
  return (kind && BY_TEXT[kind]) ?? [];
}

/** The name that is told of a step, wherever one is named. */
export function stepName({ id, kind }: DraftStep): string {
  return `${say.step(id)}${kind === undefined ? "" : ` · ${textOf(say.kinds[kind])}`}`;
}
