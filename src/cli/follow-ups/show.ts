import type { CliCommand } from "../cli-command.ts";
import type { ActionWire, FollowUpDetailWire } from "../../http/wire/follow-ups.ts";
import { idArgument, jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import type { Colours } from "../view/colours.ts";
import { provenMoment, withProvenMoments } from "../view/local-times.ts";
import { table } from "../view/report.ts";
import { countText } from "../view/words.ts";

export function registerFollowUpShow(followUp: CliCommand): void {
  followUp
    .command("show")
    .description("Shows what follows one call: its labels, and each action with its last request and answer.")
    .argument("<follow-up>", "its id", idArgument)
    .addOption(jsonOption())
    .does(async ({ config, voice }, id: string) => {
      const detail = await withRunningSystem(config, (api) => api.followUps.get(id));
      voice.present(followUpLines(detail, voice.colours));
      voice.json(detail);
    });
}

/** A follow-up as a person reads it. Pure. */
export function followUpLines(detail: FollowUpDetailWire, colours: Colours): string[] {
  const labels = Object.entries(detail.labels ?? {}).map(([label, value]) => `${label} = ${value}`);
  const when = (iso: string) => provenMoment(iso, detail.zones);
  return [
    `${colours.bold(detail.phone)} of ${detail.campaign}: ${detail.state}`,
    ...table(
      [
        ["call", detail.call_id ?? "none", detail.disposition],
        ["since", when(detail.created_at), `policy ${detail.policy_version}`],
        ...(detail.ended_at === null ? [] : [["ended", when(detail.ended_at), ""]]),
        ["processing", detail.processing ?? "waited for", `${countText(detail.looks, "look")} so far`],
        ["rules", detail.rules?.join(", ") ?? "not decided yet", labels.join(", ")],
      ],
      colours,
      { rightAligned: 0 },
    ),
    ...detail.actions.flatMap((action) => ["", ...actionLines(action, colours, detail.zones)]),
  ];
}

function actionLines(action: ActionWire, colours: Colours, zones: readonly string[]): string[] {
  const when = (iso: string) => provenMoment(iso, zones);
  const told = (text: string) => withProvenMoments(text, zones);
  const next = action.next_try_at === null ? "" : `, next ${when(action.next_try_at)}`;
  const problems = action.spec["problems"];
  return [
    `${colours.bold(`${action.owner} ${action.n + 1}: ${action.kind}`)} ${action.state} (${countText(action.tries, "try", "tries")}${next})`,
    `  action ${action.id}`,
    ...(action.sent_at === null ? [] : [`  sent ${when(action.sent_at)}`]),
    ...(action.ended_at === null ? [] : [`  ended ${when(action.ended_at)}`]),
    ...(action.error === null ? [] : [`  ${told(action.error)}`]),
    ...(action.external_id === null ? [] : [`  began ${action.external_id}`]),
    ...(Array.isArray(problems) ? problems.map((problem) => `  no value: ${told(String(problem))}`) : []),
    ...(action.request === null ? [] : [`  request ${JSON.stringify(action.request)}`]),
    ...(action.answer === null ? [] : [`  answer ${JSON.stringify(action.answer)}`]),
  ];
}
