import type { CliCommand } from "../cli-command.ts";
import type { SequenceWire } from "../../http/wire/sequences.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { neverDialedLines } from "../view/never-dialed.ts";
import { countText, numberText, tallyText } from "../view/words.ts";
import { sequenceBrandOption } from "./options.ts";

export function registerSequenceStatus(sequence: CliCommand): void {
  sequence
    .command("status")
    .description("Shows how many people are where in a sequence, and what became of the others.")
    .argument("<sequence>", "its name or id")
    .addOption(sequenceBrandOption())
    .addOption(jsonOption())
    .does(async ({ config, voice }, ref: string, options: { brand: string; json?: true }) => {
      const found = await withRunningSystem(config, (api) => api.sequences.get(ref, options.brand));
      voice.present(statusLines(found));
      voice.json(found);
    });
}

/** Pure. */
export function statusLines(found: SequenceWire): string[] {
  const { enrolments: counts } = found;
  const why = found.state_reason === null ? "" : ` (${found.state_reason})`;
  return [
    `${found.name} is ${found.state}${why}, version ${found.version}`,
    `  enrolled  ${numberText(counts.total)}: in it ${numberText(counts.active)} · through ${numberText(counts.done)}`,
    ...(counts.not_started > 0 ? [`  ${countText(counts.not_started, "enrolment")} not begun yet`] : []),
    ...(counts.paused > 0 ? [`  ${countText(counts.paused, "enrolment")} paused`] : []),
    ...(Object.keys(found.steps).length > 0 ? [`  at        ${tallyText(found.steps)}`] : []),
    ...(Object.keys(found.outcomes).length > 0 ? [`  outcomes  ${tallyText(found.outcomes)}`] : []),
    ...found.lists.flatMap(({ source_name, rows, completed_at, through_line, never_dialed }) => [
      `  list ${source_name}: ${countText(rows.read, "row")}, ${numberText(rows.accepted)} enrolled, ${numberText(rows.rejected)} rejected, ${numberText(rows.duplicate)} in it already${completed_at === null ? ` (only up to line ${through_line})` : ""}`,
      ...neverDialedLines(never_dialed, "the windows of its calls", source_name).map((line) => `  ${line}`),
    ]),
  ];
}
