/** What was written, and what stood there before: step by step back and forth again. */
export interface Written {
  text: string;
  past: readonly string[];
  future: readonly string[];
  /** When the last step began. */
  at: number;
}

/** Changes that follow each other faster are one step: whoever types undoes words, not letters. */
const ONE_STEP_MS = 800;
/** More steps than anybody goes back; each is a text of 64 KB at most. */
const MOST_STEPS = 200;

export function written(before: Written, text: string, now: number): Written {
  if (text === before.text) return before;
  const goesOn = now - before.at < ONE_STEP_MS && before.past.length > 0 && before.future.length === 0;
  const past = goesOn ? before.past : [...before.past, before.text].slice(-MOST_STEPS);
  return { text, past, future: [], at: goesOn ? before.at : now };
}

export function undone({ text, past, future }: Written): Written {
  const to = past.at(-1);
  if (to === undefined) return { text, past, future, at: 0 };
  return { text: to, past: past.slice(0, -1), future: [text, ...future], at: 0 };
}

export function redone({ text, past, future }: Written): Written {
  const [to, ...rest] = future;
  if (to === undefined) return { text, past, future, at: 0 };
  return { text: to, past: [...past, text], future: rest, at: 0 };
}
