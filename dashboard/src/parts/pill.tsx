import { term } from "../format.ts";

type Tone = "good" | "warn" | "bad" | "plain";

/** By what a person has to think of it; states that are not here are plain. */
const TONES: Readonly<Record<string, Tone>> = {
  running: "good",
  active: "good",
  answered: "good",
  done: "good",
  live: "good",
  paused: "warn",
  draining: "warn",
  waiting: "warn",
  voicemail: "warn",
  callback_requested: "warn",
  unknown: "bad",
  failed: "bad",
  missed: "bad",
  opted_out: "bad",
  invalid_number: "bad",
};

const MARKS: Record<Tone, string> = { good: "●", warn: "▲", bad: "■", plain: "○" };

/** A state in a word; the mark says the same as the colour. */
export function Pill({ state, tone }: { state: string; tone?: Tone }) {
  const shown = tone ?? TONES[state] ?? "plain";
  return (
    <span class={`pill ${shown}`}>
      <span aria-hidden="true">{MARKS[shown]}</span>
      {term(state)}
    </span>
  );
}
