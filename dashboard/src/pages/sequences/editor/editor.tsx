import { useEffect, useRef, useState } from "preact/hooks";
import type { components } from "outdial/api";

import { wordsOf } from "../../../api/client.ts";
import { useMay } from "../../../api/session.ts";
import { keepDraft, readDraft } from "../../../parts/drafts.ts";
import { Section } from "../../../parts/page.tsx";
import { Failure } from "../../../parts/state.tsx";
import { useYaml, YamlEditor } from "../../../parts/yaml-editor.tsx";
import { words } from "../../../words.ts";
import { editing as say } from "../../../words/editing.ts";
import { Drawing } from "../diagram.tsx";
import { useCheck } from "./check.ts";
import { chartOf, indexOf, keyOf, START } from "./draft-chart.ts";
import { fieldsOf, stepOfField, stepsOf, textOf, type DraftStep } from "./draft.ts";
import { useHistory } from "./use-history.ts";
import type { Change } from "./inputs.tsx";
import { Put, type Base } from "./put.tsx";
import { Rehearsal } from "./rehearsal.tsx";
import { SequenceForm } from "./sequence-form.tsx";
import { StepForm, stepName } from "./step-form.tsx";
import { StepTools } from "./step-tools.tsx";

interface EditorProps {
  first: string;
  /** Undefined: it is a new one. */
  base: Base | undefined;
}

/** What was written before, and not put. */
interface Draft {
  text: string;
  base: Base | undefined;
}

interface Problem {
  field: string;
  message: string;
}

/** Writes on what was written before, where that was not put; else begins from what is there. */
export function Editor(props: EditorProps) {
  const draftKey = `sequence ${props.base?.id ?? "new"}`;
  const [begun, setBegun] = useState(0);
  const startAnew = () => {
    keepDraft(draftKey, undefined);
    setBegun(begun + 1);
  };
  return <Writing key={`${draftKey} ${begun}`} {...props} draftKey={draftKey} startAnew={startAnew} />;
}

interface WritingProps extends EditorProps {
  draftKey: string;
  startAnew: () => void;
}

/** One document in three views, each of which changes the others: boxes and arrows, fields, text. */
function Writing({ first, base: current, draftKey, startAnew }: WritingProps) {
  const may = useMay("putSequence");
  const [kept] = useState(() => readDraft<Draft>(draftKey));
  // The version that it was begun from, whatever is there by now: what somebody else put is not written over.
  const [base, setBase] = useState(kept ? kept.base : current);
  const history = useHistory(kept?.text ?? first);
  const { text } = history;
  const [chosen, setChosen] = useState(START);
  const [way, setWay] = useState<readonly string[]>([]);
  const [refusal, setRefusal] = useState("");
  const [put, setPut] = useState(first);
  const reading = useYaml(text);
  const readable = useRef<unknown>(reading.value);
  if (reading.value !== undefined) readable.current = reading.value;
  const value = readable.current;
  const definition = reading.value as components.SequenceDefinition | undefined;
  const check = useCheck(definition);
  const isReadable = definition !== undefined;
  const problems: readonly Problem[] = (isReadable && check.data?.problems) || [];
  const steps = stepsOf(value);
  const write = (to: string) => {
    setRefusal("");
    setWay([]);
    history.write(to);
  };
  const change: Change = (how) => {
    try {
      write(how(text));
      return true;
    } catch (error) {
      setRefusal(wordsOf(error).title);
      return false;
    }
  };
  const isUnsaved = may && text !== put;
  useUnsaved(isUnsaved);
  useEffect(
    () => keepDraft(draftKey, isUnsaved ? { text, base } : undefined),
    [draftKey, isUnsaved, text, base],
  );
  const step = steps[indexOf(chosen) ?? -1];
  return (
    <>
      {kept && isUnsaved && (
        <p class="note">
          {say.kept}{" "}
          <button type="button" onClick={startAnew}>
            {say.startAnew}
          </button>
        </p>
      )}
      <div class="editor">
        <Section title={words.sequence.diagram} aside={may && <Steps history={history} />}>
          <Drawing
            chart={chartOf(value)}
            way={way}
            choosing={{ chosen: step ? chosen : START, choose: setChosen, problems: byBox(problems) }}
          />
        </Section>
        <Section title={step ? stepName(step) : say.whole}>
          {!isReadable && <p class="note warn">{say.unreadable}</p>}
          <fieldset class="bare" disabled={!may || !isReadable}>
            {may && <StepTools step={step} steps={steps} change={change} choose={setChosen} />}
            <ProblemsAt problems={problems} step={step} />
            {refusal !== "" && (
              <p class="note bad" role="alert">
                {refusal}
              </p>
            )}
            {step ? (
              <StepForm
                key={step.index}
                text={text}
                step={step}
                ids={steps.map(({ id }) => id)}
                change={change}
              />
            ) : (
              <SequenceForm fields={fieldsOf(value)} change={change} />
            )}
          </fieldset>
        </Section>
      </div>
      <Section
        title={words.sequence.document}
        aside={
          <Summary
            steps={steps}
            problems={problems}
            isReadable={isReadable}
            isUnderWay={check.isUnderWay}
            choose={setChosen}
          />
        }
      >
        <YamlEditor
          label={words.sequence.document}
          hint={words.sequence.documentHint}
          text={text}
          reading={reading}
          problems={problems}
          readOnly={!may}
          change={write}
        />
        {check.error && <Failure error={check.error} again={() => void check.refetch()} />}
        {check.data?.warnings.map((warning) => (
          <p class="note warn" key={warning}>
            {warning}
          </p>
        ))}
        {may && (
          <Put
            base={base}
            rebase={setBase}
            definition={definition}
            isChanged={text !== put}
            take={(theirs) => {
              write(theirs);
              setPut(theirs);
            }}
            done={() => setPut(text)}
          />
        )}
      </Section>
      {may && <Rehearsal definition={definition} draw={setWay} />}
    </>
  );
}

/** Whoever leaves is asked, where something would be lost. */
function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isUnsaved]);
}

function boxOf(field: string): string {
  const index = stepOfField(field);
  return index === undefined ? START : keyOf(index);
}

function byBox(problems: readonly Problem[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { field, message } of problems) {
    const box = boxOf(field);
    found.set(box, [...(found.get(box) ?? []), `${field} ${message}`]);
  }
  return found;
}

function Steps({ history }: { history: ReturnType<typeof useHistory> }) {
  const { past, future, undo, redo } = history;
  return (
    <span class="row">
      <button type="button" aria-disabled={past.length === 0} onClick={undo}>
        {say.undo}
      </button>
      <button type="button" aria-disabled={future.length === 0} onClick={redo}>
        {say.redo}
      </button>
    </span>
  );
}

function ProblemsAt({ problems, step }: { problems: readonly Problem[]; step: DraftStep | undefined }) {
  const here = problems.filter(({ field }) => boxOf(field) === (step ? keyOf(step.index) : START));
  if (here.length === 0) return null;
  return (
    <ul class="note bad">
      {here.map(({ field, message }) => (
        <li key={`${field} ${message}`}>
          <code>{field.replace(/^steps\[\d+\]\.?/, "") || textOf(step?.id)}</code> {message}
        </li>
      ))}
    </ul>
  );
}

interface SummaryProps {
  steps: readonly DraftStep[];
  problems: readonly Problem[];
  isReadable: boolean;
  isUnderWay: boolean;
  choose: (box: string) => void;
}

/** How it stands, with the way to what is wrong first. */
function Summary({ steps, problems, isReadable, isUnderWay, choose }: SummaryProps) {
  const [worst] = problems;
  if (!isReadable) return null;
  return (
    <span class="row" role="status">
      <span class={problems.length > 0 ? "pill bad" : "pill good"}>
        <span aria-hidden="true">{problems.length > 0 ? "■" : "●"}</span>
        {isUnderWay ? say.checking : problems.length > 0 ? say.problems(problems.length) : say.sound}
      </span>
      {worst && (
        <button type="button" onClick={() => choose(boxOf(worst.field))}>
          {say.problemAt(nameOf(worst.field, steps))}
        </button>
      )}
    </span>
  );
}

function nameOf(field: string, steps: readonly DraftStep[]): string {
  const step = steps[stepOfField(field) ?? -1];
  return step ? step.id || say.step("") : say.whole;
}
