import type { CliCommand } from "../cli-command.ts";
import type { ExplanationWire } from "../../http/wire/campaigns.ts";
import { ApiProblemError } from "../api/errors.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { commandText, placeIn } from "../hints.ts";
import { brandOption, jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { saidAndRemedy } from "../said.ts";
import { provenMoment, withProvenMoments } from "../view/local-times.ts";
import { countText } from "../view/words.ts";

export function registerCampaignExplain(campaign: CliCommand): void {
  campaign
    .command("explain")
    .description("Says why one number was or was not dialed, when, and under which version of the policy.")
    .argument("<campaign>", "its name or id")
    .argument("<phone>", "the number, with +")
    .addOption(brandOption())
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  outdial campaign explain spring-renewal +12025550143")
    .does(async ({ config, voice }, ref: string, phone: string, options: { brand: string; json?: true }) => {
      const place = { brand: options.brand, ...placeIn(config) };
      const explanation = await withRunningSystem(config, (api) =>
        api.campaigns.explanation(ref, phone, options.brand),
      ).catch((error: unknown) => {
        throw withRejects(error, commandText("export", ref, place));
      });
      voice.present(explanationLines(explanation));
      voice.json(explanation);
    });
}

/** Who is no contact may stand among the rows that made none. */
function withRejects(error: unknown, exporting: string): unknown {
  if (!(error instanceof ApiProblemError) || error.code !== "unknown_contact") return error;
  const { problem } = saidAndRemedy(error.message);
  return new CliError(
    `${problem}: \`${exporting}\` writes a rejects.csv, with the rows of its lists that made no contact, and why`,
    EXIT.failed,
    { code: error.code, cause: error },
  );
}

/** Everything that the ledger knows of one number, in words. Pure. */
export function explanationLines({ contact, attempts, refusals, holds }: ExplanationWire): string[] {
  const came = contact.outcome ?? contact.reason;
  const when = (iso: string | null) => (iso === null ? "?" : provenMoment(iso, contact.zones));
  const told = (text: string) => withProvenMoments(text, contact.zones);
  return [
    `${contact.phone}: ${contact.state}${came === null ? "" : ` (${told(came)})`}, ${countText(contact.attempts, "attempt")}`,
    `  time zones: ${contact.zones.length === 0 ? "none known" : contact.zones.join(", ")}`,
    ...(contact.places.length === 0 ? [] : [`  may be in: ${contact.places.join(", ")}`]),
    ...(contact.state === "open"
      ? [`  due: ${contact.due_at === null ? "held until it is let go on" : when(contact.due_at)}`]
      : []),
    ...attempts.map(
      ({
        attempt_no,
        state,
        disposition,
        disposition_reason,
        started_at,
        planned_at,
        policy_version,
        ...agent
      }) =>
        `  attempt ${attempt_no}: ${disposition ?? state}${disposition_reason === null ? "" : ` (${told(disposition_reason)})`}, ${started_at === null ? `planned ${when(planned_at)}` : `dialed ${when(started_at)}`}, policy ${policy_version}${agentText(agent)}`,
    ),
    ...refusals.map(
      ({ reason, detail, times, first_at, last_at, policy_version }) =>
        `  not dialed: ${reason} (${told(detail)}), ${times === 1 ? when(first_at) : `${times} times from ${when(first_at)} to ${when(last_at)}`}, policy ${policy_version}`,
    ),
    ...holds.map(
      ({ reason, detail, from, until, policy_version }) =>
        `  held: ${reason}${detail === "" ? "" : ` (${told(detail)})`}, from ${when(from)} ${until === null ? "on" : `to ${when(until)}`}, policy ${policy_version}`,
    ),
  ];
}

/** Which version of its agent was published when its batch began, as far as that is known. */
function agentText({
  agent_version: version,
  agent_changed_to: changedTo,
}: Pick<ExplanationWire["attempts"][number], "agent_version" | "agent_changed_to">): string {
  if (version === null) return "";
  return `, agent version ${version}${changedTo === null ? "" : ` or ${changedTo}, which was published meanwhile`}`;
}
