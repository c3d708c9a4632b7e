import type { AmendmentPreviewWire } from "../../http/wire/amendments.ts";
import { countText, momentText, numberText } from "./words.ts";

type Part = AmendmentPreviewWire["parts"][number];
type Effect = Part["effects"][number];

/** What an amendment would do, for people. */
export function previewText({ policy_version, at, differences, parts }: AmendmentPreviewWire): string[] {
  if (differences.length === 0) return ["the campaign has this spec already"];
  const nowMs = Date.parse(at);
  return [
    `nothing is changed; as policy version ${policy_version + 1} it would be:`,
    ...differences.map(({ field, before, after }) => `  ${field}: was ${before}, would be ${after}`),
    ...parts.flatMap((part) => partText(part, nowMs)),
    `to put it in force as it was counted: --if-version ${policy_version}`,
  ];
}

function partText(part: Part, nowMs: number): string[] {
  const { name, callbacks, open, asked, one_in, unchanged, effects, stopped } = part;
  return [
    `${callbacks ? `callbacks (${name})` : name}: ${countText(open, "contact")} waiting${askedText(part)}`,
    ...effects.map((effect) => `  ${effectText(effect, one_in, nowMs)}`),
    ...(effects.length === 0 ? ["  for none of them anything changes now"] : []),
    ...(effects.length > 0 && unchanged > 0
      ? [`  ${numberText(unchanged)} of ${numberText(asked)} asked about: as before`]
      : []),
    ...stopped.map(
      ({ reason, batches, calls }) =>
        `  ${countText(batches, "batch", "batches")} would be stopped (${reason}), with ${countText(calls, "call")} that are up or to come`,
    ),
  ];
}

function askedText({ open, asked, one_in }: Part): string {
  if (open === 0) return "";
  if (asked === 0) return "; no rule for single people reads what changes";
  return one_in === 1
    ? ""
    : `; one in ${numberText(one_in)} was asked about (${numberText(asked)}), the rest is reckoned`;
}

function effectText(
  { before, after, contacts_in_all, until, samples }: Effect,
  oneIn: number,
  nowMs: number,
) {
  const count = `${oneIn === 1 ? "" : "about "}${numberText(contacts_in_all)}`;
  const such = `such as ${samples.join(", ")}`;
  return `${count}: ${answerText(before)}, then ${answerText(after)}${untilText(until, nowMs)}; ${such}`;
}

function answerText({ kind, reason }: Effect["before"]): string {
  if (kind === "called") return "may be called now";
  return `${kind === "waits" ? "waits" : "excluded"} (${reason})`;
}

function untilText(until: Effect["until"], nowMs: number): string {
  if (until === null) return "";
  const first = momentText(until.first, nowMs);
  const last = momentText(until.last, nowMs);
  return first === last ? ` until ${first}` : ` until between ${first} and ${last}`;
}
