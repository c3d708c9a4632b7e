import { useState } from "preact/hooks";

import { editing as say } from "../../../words/editing.ts";
import { KINDS, withoutStep, withStepAfter, withStepMoved, type DraftStep, type Kind } from "./draft.ts";
import { keyOf, START } from "./draft-chart.ts";
import { Labelled, type Change } from "./inputs.tsx";

interface ToolsProps {
  /** Undefined: the sequence as a whole. */
  step: DraftStep | undefined;
  steps: readonly DraftStep[];
  change: Change;
  choose: (box: string) => void;
}

/** What is done with the box that is chosen: one is added behind it, it is moved, it is taken out. */
export function StepTools({ step, steps, change, choose }: ToolsProps) {
  const [kind, setKind] = useState<Kind>("wait");
  const index = step?.index ?? -1;
  const move = (by: 1 | -1) => {
    change((text) => withStepMoved(text, index, by));
    choose(keyOf(index + by));
  };
  return (
    <div class="row tools">
      <Labelled label={step ? say.addStep : say.addFirst}>
        <select
          value={kind}
          onChange={({ currentTarget }) =>
            setKind(KINDS.find((one) => one === currentTarget.value) ?? "wait")
          }
        >
          {KINDS.map((one) => (
            <option key={one} value={one}>
              {say.kinds[one]}
            </option>
          ))}
        </select>
      </Labelled>
      <button
        type="button"
        onClick={() => {
          change((text) => withStepAfter(text, index, kind).text);
          choose(keyOf(index + 1));
        }}
      >
        {say.addEntry}
      </button>
      {step && (
        <>
          <button type="button" disabled={index === 0} onClick={() => move(-1)}>
            {say.up}
          </button>
          <button type="button" disabled={index === steps.length - 1} onClick={() => move(1)}>
            {say.down}
          </button>
          <button
            type="button"
            class="danger"
            disabled={steps.length === 1}
            onClick={() => {
              change((text) => withoutStep(text, index));
              choose(index === 0 ? START : keyOf(index - 1));
            }}
          >
            {say.removeStep}
          </button>
        </>
      )}
    </div>
  );
}
