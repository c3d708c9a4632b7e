import { useRef } from "preact/hooks";

import { ApiProblem } from "outdial/api";
import { words } from "../words.ts";
import { readYaml, type Reading, type Trouble } from "./yaml.ts";

interface EditorProps {
  label: string;
  hint?: string;
  text: string;
  reading: Reading;
  /** What the server said of it, at its fields. */
  refused?: unknown;
  /** The same, told without a refusal. */
  problems?: readonly { field: string; message: string }[];
  readOnly?: boolean;
  change: (text: string) => void;
}

/** A document as text, with what is wrong at its lines; a click goes there. */
export function YamlEditor(props: EditorProps) {
  const { label, hint, text, reading, refused, problems = [], readOnly = false, change } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const told = refused instanceof ApiProblem ? refused.errors : [];
  const trouble = [...reading.trouble, ...troubleOf([...problems, ...told], reading)];
  const goTo = (line: number) => {
    const lines = text.split("\n");
    const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    const to = from + (lines[line - 1]?.length ?? 0);
    area.current?.focus();
    area.current?.setSelectionRange(from, to);
  };
  return (
    <div class="stack">
      <label>
        <span class="visually-hidden">{label}</span>
        <textarea
          ref={area}
          class="code"
          spellcheck={false}
          readOnly={readOnly}
          value={text}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
        {hint !== undefined && <small>{hint}</small>}
      </label>
      {trouble.length > 0 && (
        <div class="note bad" role="alert">
          <ul>
            {trouble.map(({ line, field, message }) => (
              <li key={`${line} ${field} ${message}`}>
                {line !== undefined && (
                  <button type="button" onClick={() => goTo(line)}>
                    {words.yaml.line(line)}
                  </button>
                )}{" "}
                {field !== "" && <code>{field}</code>} {message}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function troubleOf(told: readonly { field: string; message: string }[], reading: Reading): Trouble[] {
  return told.map(({ field, message }) => ({ line: reading.lineOf(field), field, message }));
}

/** Read anew only when it changed. */
export function useYaml(text: string): Reading {
  const kept = useRef<{ text: string; reading: Reading } | null>(null);
  if (kept.current?.text !== text) kept.current = { text, reading: readYaml(text) };
  return kept.current.reading;
}
