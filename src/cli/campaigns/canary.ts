import type { CanaryWire } from "../../http/wire/campaigns.ts";
import type { CliCommand } from "../cli-command.ts";
import { commandText, namedDir, type Place } from "../hints.ts";
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
        voice.tell(canaryLines(canary, { brand: options.brand, dataDir: namedDir(config) }));
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

/** The first calls, and what is to be done about them. Pure. */
export function canaryLines({ name, canary, approval, calls }: CanaryWire, place: Place): string[] {
  const first = canary ?? calls.length;
  return [
    `first ${countText(first, "call")} of ${name}: ${APPROVALS[approval]}`,
    ...calls.map(({ phone, zones, call_id, disposition, disposition_reason, started_at, duration_seconds }) =>
      [
        `  ${phone}`,
        disposition === null
          ? "not over"
          : `${disposition}${disposition_reason === null ? "" : ` (${disposition_reason})`}`,
        ...(duration_seconds === null ? [] : [`${Math.round(duration_seconds)} s`]),
        ...(started_at === null ? [] : [provenMoment(started_at, zones)]),
        ...(call_id === null ? [] : [`call ${call_id}`]),
      ].join(", "),
    ),
    ...(calls.some(({ call_id }) => call_id !== null)
      ? ["to listen: outdial platform calls recording <call> --out call.ogg"]
      : []),
    ...(approval === "waiting"
      ? [`to go on: ${commandText("approve", name, place)}; to end it: ${commandText("cancel", name, place)}`]
      : []),
  ];
}
