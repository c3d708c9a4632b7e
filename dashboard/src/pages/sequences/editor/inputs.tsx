import { useState } from "preact/hooks";

import type { ComponentChildren } from "preact";

import { words } from "../../../words.ts";
import { editing as say } from "../../../words/editing.ts";
import { fieldsOf, textOf, withField, withKey, type Path } from "./draft.ts";
import type { Input } from "./step-fields.ts";

/** Changes the document; what the change throws is shown, and nothing is changed. @returns whether it was */
export type Change = (change: (text: string) => string) => boolean;

interface FieldProps {
  name: string;
  label: string;
  input: Input;
  value: unknown;
  path: Path;
  change: Change;
}

/** One field of a document, as its kind of input. Emptied, it is taken out of the document. */
export function Field({ name, label, input, value, path, change }: FieldProps) {
  const set = (to: unknown) => change((text) => withField(text, path, to));
  switch (input.as) {
    case "expressions":
      return <Entries label={label} value={value} path={path} change={change} />;
    case "choice":
      return (
        <Labelled label={label}>
          <select
            value={textOf(value)}
            onChange={({ currentTarget }) =>
              set(currentTarget.value === "" ? undefined : currentTarget.value)
            }
          >
            {!input.of.includes(textOf(value)) && <option value={textOf(value)}>{shownOf(value)}</option>}
            {input.of.map((one) => (
              <option key={one} value={one}>
                {one === "" ? say.none : one}
              </option>
            ))}
          </select>
        </Labelled>
      );
    case "number":
      return (
        <Labelled label={label}>
          <input
            type="number"
            min={input.least}
            max={input.most}
            value={textOf(value)}
            onInput={({ currentTarget: { value: said } }) => said !== "" && set(Number(said))}
            onChange={({ currentTarget: { value: said } }) => said === "" && set(undefined)}
          />
        </Labelled>
      );
    case "lines":
      return (
        <Labelled label={label} hint={say.hint.lines}>
          <textarea
            rows={2}
            // Read when it is left: a line that is begun is none yet.
            defaultValue={Array.isArray(value) ? value.map(textOf).join("\n") : ""}
            key={JSON.stringify(value)}
            onChange={({ currentTarget }) => {
              const lines = currentTarget.value.split(/[\s,;]+/).filter((line) => line !== "");
              set(lines.length === 0 ? undefined : lines);
            }}
          />
        </Labelled>
      );
    case "text":
    case "duration":
    case "clock":
    case "expression":
      return (
        <Labelled label={label} hint={hintOf(name, input)}>
          <input
            class={input.as === "expression" ? "mono" : ""}
            spellcheck={false}
            value={typeof value === "object" && value !== null ? shownOf(value) : textOf(value)}
            readOnly={typeof value === "object" && value !== null}
            onInput={({ currentTarget: { value: said } }) => set(said)}
            // Emptied for good once it is left: whoever writes it anew has it where it stood.
            onChange={({ currentTarget: { value: said } }) => said === "" && set(undefined)}
          />
        </Labelled>
      );
  }
}

/** What no input of one line can say is said in YAML. */
function shownOf(value: unknown): string {
  return value === undefined ? say.none : JSON.stringify(value);
}

function hintOf(name: string, input: Input): string | undefined {
  if (name === "outcome") return say.hint.outcome;
  if (input.as === "text") return input.hint;
  return input.as === "duration" || input.as === "clock" || input.as === "expression"
    ? say.hint[input.as]
    : undefined;
}

interface LabelledProps {
  label: string;
  hint?: string | undefined;
  children: ComponentChildren;
}

export function Labelled({ label, hint, children }: LabelledProps) {
  return (
    <label>
      {label}
      {children}
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
}

/**
 * Taken by the whole name, once it is left; what is typed stays until then, whatever is told meanwhile, and where it is
 * not taken.
 */
export function NameInput({ name, take }: { name: string; take: (name: string) => boolean }) {
  const [own, setOwn] = useState<string>();
  const leave = () => {
    if (own === undefined || own === name || take(own)) setOwn(undefined);
  };
  return (
    <input
      value={own ?? name}
      spellcheck={false}
      onInput={({ currentTarget: { value } }) => setOwn(value)}
      onBlur={leave}
      onKeyDown={({ key, isComposing }) => key === "Enter" && !isComposing && leave()}
    />
  );
}

interface EntriesProps {
  label: string;
  value: unknown;
  path: Path;
  change: Change;
  /** Of a new entry. */
  first?: string;
}

/** Names with their expressions. */
export function Entries({ label, value, path, change, first = '""' }: EntriesProps) {
  const entries = Object.entries(fieldsOf(value));
  const names = new Set(entries.map(([name]) => name));
  return (
    <fieldset>
      <legend>{label}</legend>
      {entries.map(([name, says], index) => (
        <div class="entry" key={index}>
          <Labelled label={say.entryName(index + 1)}>
            <NameInput
              name={name}
              // One that is half written may be another's.
              take={(to) => to !== "" && !names.has(to) && change((text) => withKey(text, path, name, to))}
            />
          </Labelled>
          <Labelled label={say.entryValue(index + 1)}>
            <input
              class="mono"
              value={textOf(says)}
              spellcheck={false}
              onInput={({ currentTarget }) =>
                change((text) => withField(text, [...path, name], currentTarget.value))
              }
            />
          </Labelled>
          <button
            type="button"
            aria-label={say.remove(name)}
            title={say.remove(name)}
            onClick={() => change((text) => withField(text, [...path, name], undefined))}
          >
            ✕
          </button>
        </div>
      ))}
      <p>
        <button
          type="button"
          onClick={() => change((text) => withField(text, [...path, freeName(names)], first))}
        >
          {say.addEntry}
        </button>
      </p>
    </fieldset>
  );
}

function freeName(names: ReadonlySet<string>): string {
  for (let n = 1; ; n += 1) if (!names.has(`name_${n}`)) return `name_${n}`;
}

interface TargetProps {
  label: string;
  value: unknown;
  /** The steps that there are. */
  ids: readonly string[];
  /** What stands for nothing said; undefined: something has to be. */
  none?: string | undefined;
  choose: (id: string | undefined) => void;
}

/** A step that is led to. One that is no step stays to be seen. */
export function Target({ label, value, ids, none, choose }: TargetProps) {
  const chosen = textOf(value);
  const known = [...new Set(ids)].filter((id) => id !== "");
  return (
    <Labelled label={label}>
      <select
        value={chosen}
        onChange={({ currentTarget }) => choose(currentTarget.value === "" ? undefined : currentTarget.value)}
      >
        {(none !== undefined || chosen === "") && <option value="">{none ?? words.none}</option>}
        {chosen !== "" && !known.includes(chosen) && <option value={chosen}>{`${chosen} (?)`}</option>}
        {known.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </Labelled>
  );
}
