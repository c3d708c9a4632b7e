import type { CanaryWire } from "../../http/wire/campaigns.ts";
import type { CliCommand } from "../cli-command.ts";
import { commandText, placeIn, type Place } from "../hints.ts";
import { brandOption, jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { provenMoment } from "../view/local-times.ts";
import { countText } from "../view/words.ts";

export function registerCampaignCanary(campaign: CliCommand): void {
  campaign
    .command("canary")
    .description("Shows a campaign's first calls, for whoever listens to them and approves of them.")
    .argument("<campaign>", "its name or id")
    .addOption(brandOption())
    .addOption(jsonOption())
    .does(async ({ config, voice }, ref: string, options: { brand: string; json?: true }) => {
      await withRunningSystem(config, async (api) => {
        const canary = await api.campaigns.canary(ref, options.brand);
        voice.present(canaryLines(canary, { brand: options.brand, ...placeIn(config) }));
        voice.json(canary);
      });
    });
}

const APPROVALS: Readonly<Record<CanaryWire["approval"], string>> = {
  none: "it has no canary, and waits for nobody's approval",
  calling: "they are not all over yet",
  waiting: "it waits for somebody to approve of them",
  approved: "they were approved of",
};

/** What it came to; below it when it was, and which call it is, so that both fit into a narrow terminal. */
function callLines(call: CanaryWire["calls"][number]): string[] {
  const { phone, zones, call_id: callId, disposition, disposition_reason: why, started_at: startedAt } = call;
  const { duration_seconds: seconds } = call;
  const length = seconds === null ? [] : [`${Math.round(seconds)} s`];
  // The reason of most says how long they were.
  const told = why === null ? length : [why, ...(/\d s\b/.test(why) ? [] : length)];
  const below = [
    ...(startedAt === null ? [] : [provenMoment(startedAt, zones)]),
    ...(callId === null ? [] : [`call ${callId}`]),
  ];
  return [
    `  ${phone}  ${disposition ?? "not over"}${told.length === 0 ? "" : ` (${told.join(", ")})`}`,
    ...below.map((line) => `    ${line}`),
  ];
}

/** The first calls, and what is to be done about them. Pure. */
export function canaryLines({ name, canary, approval, calls }: CanaryWire, place: Place): string[] {
  const first = canary ?? calls.length;
  return [
    `first ${countText(first, "call")} of ${name}: ${APPROVALS[approval]}`,
    ...calls.flatMap(callLines),
    ...(calls.some(({ call_id }) => call_id !== null)
      ? ["to listen: outdial platform calls recording <call> --out call.ogg"]
      : []),
    ...(approval === "waiting"
      ? [
          `to go on: ${commandText("approve", name, place)}`,
          `to end it: ${commandText("cancel", name, place)}`,
        ]
      : []),
  ];
}
