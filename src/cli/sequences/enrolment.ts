import type { CliCommand } from "../cli-command.ts";
import type { EnrolmentWire } from "../../http/wire/sequences.ts";
import { idArgument, jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { provenMoment, withProvenMoments } from "../view/local-times.ts";
import { countText } from "../view/words.ts";

export function registerSequenceEnrolment(sequence: CliCommand): void {
  sequence
    .command("enrolment")
    .description("Shows one person's way through a sequence: where they are, and how they came there.")
    .argument("<id>", "the enrolment", idArgument)
    .addOption(jsonOption())
    .does(async ({ config, voice }, id: string) => {
      const enrolment = await withRunningSystem(config, (api) => api.sequences.enrolment(id));
      voice.present(enrolmentLines(enrolment));
      voice.json(enrolment);
    });
}

/** Pure. */
export function enrolmentLines(enrolment: EnrolmentWire): string[] {
  const when = (iso: string) => provenMoment(iso, enrolment.zones);
  const told = (text: string) => withProvenMoments(text, enrolment.zones);
  const { outcome, reason, paused, step } = enrolment;
  const state =
    outcome === null
      ? `${paused ? "paused" : "active"}${step === null ? "" : ` at ${step}`}${wakeText(enrolment, when)}`
      : `${outcome}${reason === null ? "" : ` (${told(reason)})`}`;
  return [
    `${enrolment.phone} in ${enrolment.sequence}, version ${enrolment.version}: ${state}`,
    `  time zones: ${enrolment.zones.length === 0 ? "none known" : enrolment.zones.join(", ")}; came by ${enrolment.source}`,
    ...Object.entries(enrolment.variables).map(([name, value]) => `  ${name} = ${value}`),
    ...enrolment.calls.flatMap((call) => callLines(call, when, told)),
    ...enrolment.actions.map(
      (action) =>
        `  ${action.kind} ${action.step}: ${action.state}${action.error === null ? "" : ` (${told(action.error)})`}, ${countText(action.tries, "try", "tries")}, ${action.id}`,
    ),
    ...enrolment.journey.map(
      ({ at, step: where, what, detail }) =>
        `  ${when(at)}  ${where === null ? "" : `${where}: `}${what.replaceAll("_", " ")}${told(detailText(detail))}`,
    ),
  ];
}

/** At the end of its time a call that was not made is given up; everything else goes on. */
function wakeText({ wake_at, awaits_call }: EnrolmentWire, when: (iso: string) => string): string {
  if (wake_at === null) return "";
  return `, ${awaits_call ? "gives up" : "goes on"} ${when(wake_at)}`;
}

function callLines(
  call: EnrolmentWire["calls"][number],
  when: (iso: string) => string,
  told: (text: string) => string,
): string[] {
  const reason = call.reason === null ? "" : ` (${told(call.reason)})`;
  const due = call.due_at === null ? ", held" : `, due ${when(call.due_at)}`;
  const id = call.call_id === null ? "" : `, ${call.call_id}`;
  return [
    `  call ${call.n}: ${call.outcome ?? call.state}${reason}, ${countText(call.attempts, "attempt")}${call.state === "open" ? due : ""}${id}`,
    ...call.held_by.map(({ reason: what, detail, since }) => {
      const why = detail === "" ? "" : ` (${told(detail)})`;
      return `    not made now: ${what.replaceAll("_", " ")}${why}${since === null ? "" : `, since ${when(since)}`}`;
    }),
  ];
}

function detailText(detail: Readonly<Record<string, unknown>>): string {
  const told = Object.entries(detail).map(
    ([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return told.length === 0 ? "" : ` (${told.join(", ")})`;
}
