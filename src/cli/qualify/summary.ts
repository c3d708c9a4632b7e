import type { PlatformProfile } from "../../domain/campaigns/platform-profile.ts";
import type { Colours } from "../view/colours.ts";
import { table } from "../view/report.ts";

/** A profile as a person reads it: question and answer. Pure. */
export function profileLines(profile: PlatformProfile, colours: Colours): string[] {
  const { words, effects, timings_ms: timings, stream, deletes, filters } = profile;
  const limits = Object.entries(profile.page_limits).flatMap(([name, rows]) =>
    rows === undefined ? [] : [`${name} ${rows}`],
  );
  const ms = Object.entries(timings).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name.replaceAll("_", " ")} ${value} ms`],
  );
  const lists: [string, readonly string[]][] = [
    ["batch words", words.batch],
    ["item words", words.item],
    ["call words", words.call],
    ["processing words", words.processing],
    ["new end words", profile.ended_item_words],
    ["largest pages", limits],
    ["times", ms],
    ["filters", Object.entries(filters).map(([name, answer]) => `${name} ${answer}`)],
    ["ids as `id`", Object.entries(profile.ids_as_id).map(([name, is]) => `${name} ${yesNo(is)}`)],
    ["items carry", Object.entries(profile.item_facts).flatMap(([name, is]) => (is ? [name] : []))],
  ];
  const plain: [string, string | undefined][] = [
    ["pause, unstarted", effects.pause_unstarted],
    ["cancel, unstarted", effects.cancel_unstarted],
    ["delete, unstarted", deletes.unstarted_batch],
    ["pause, running", effects.pause],
    ["cancel, running", effects.cancel],
    ["second start", effects.second_start],
    ["delete, ended", deletes.ended_batch],
    ["stream", streamText(stream)],
    ["Date header", profile.date_header === undefined ? undefined : yesNo(profile.date_header)],
    ["phones rung", String(profile.phones_rung)],
  ];
  return [
    ...table(
      [
        ...lists.flatMap(([name, values]) => (values.length === 0 ? [] : [[name, values.join(", ")]])),
        ...plain.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ],
      colours,
      { rightAligned: 0 },
    ),
    ...profile.not_tried.map((what) => colours.yellow(`  not found out: ${what}`)),
  ];
}

function yesNo(is: boolean): string {
  return is ? "yes" : "no";
}

function streamText(stream: PlatformProfile["stream"]): string | undefined {
  const { opens_with_header: header, opens_with_token: token, frames, malformed } = stream;
  if (frames === undefined) return undefined;
  const opens =
    header === true
      ? "opens with the header alone"
      : token === true
        ? "opens with the token only"
        : "does not open";
  const says = [
    ...(stream.names_items ? ["items"] : []),
    ...(stream.names_batch_status ? ["the batch's status"] : []),
    ...(stream.gives_counts ? ["counts"] : []),
  ];
  const heard = says.length === 0 ? "" : `, tells of ${says.join(", ")}`;
  return `${opens}; ${frames} frames${heard}${malformed ? `, ${malformed} not understood` : ""}`;
}
