import type { CliCommand } from "../cli-command.ts";
import type { AutomationWire } from "../../http/wire/automations.ts";
import type { CliContext } from "../context.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";
import { momentText } from "../view/words.ts";

export function registerAutomationLists(automation: CliCommand, context: CliContext): void {
  registerList(automation);
  registerShow(automation);
  registerExport(automation, context);
}

function registerList(automation: CliCommand): void {
  automation
    .command("list")
    .description("Lists automations by name, and where they stand.")
    .addOption(jsonOption())
    .does(async ({ config, voice }) => {
      const found = await withRunningSystem(config, (api) => api.automations.list());
      const nowMs = Date.now();
      const rows = found.items.map((item) => [
        item.name,
        item.state,
        item.trigger_type,
        item.active ? "active" : "inactive",
        momentText(item.updated_at, nowMs),
        item.error ?? driftText(item.drift),
      ]);
      const header = ["automation", "", "trigger", "", "since", ""];
      voice.present(listing("no automations", header, rows, voice.colours));
      voice.json(found);
    });
}

function registerShow(automation: CliCommand): void {
  automation
    .command("show")
    .description("Shows an automation with its steps, what was run again, and its definition.")
    .argument("<name>", "the automation")
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string) => {
      const found = await withRunningSystem(config, (api) => api.automations.get(name));
      const drift = driftText(found.drift);
      const version = found.version === null ? "" : `, version ${found.version}`;
      const pinned = found.pinned_version === null ? "" : ` (brought back: ${found.pinned_version})`;
      const { workflow, ...definition } = found.definition;
      const { stringify } = await import("yaml");
      voice.present([
        `${found.state}${found.error === null ? "" : `: ${found.error}`}`,
        ...(found.workflow_id === null ? [] : [`on the platform: ${found.workflow_id}${version}${pinned}`]),
        ...(drift === "" ? [] : [`drift: ${drift}`]),
        ...(found.last_test ? [`last test: ${found.last_test.found} (${found.last_test.at})`] : []),
        ...found.steps.map((step) => `  ${step.at} ${step.step}: ${step.found}`),
        ...found.reruns.map(
          (rerun) =>
            `  rerun of ${rerun.repeats}: ${rerun.state}${rerun.execution_id === null ? "" : ` as ${rerun.execution_id}`}${rerun.error === null ? "" : `: ${rerun.error}`}`,
        ),
        stringify(definition).trimEnd(),
        ...(workflow === undefined ? [] : ["workflow: (its JSON: --json, or `outdial automation export`)"]),
      ]);
      voice.json(found);
    });
}

function registerExport(automation: CliCommand, context: CliContext): void {
  automation
    .command("export")
    .description(
      "Writes an automation as it is on the platform to standard output, for import and for keeping.",
    )
    .argument("<name>", "the automation")
    .does(async ({ config }, name: string) => {
      const found = await withRunningSystem(config, (api) => api.automations.export(name));
      context.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
    });
}

function driftText(drift: AutomationWire["drift"]): string {
  if (!drift) return "";
  return drift.repaired_at === null ? drift.found : `${drift.found} (repaired)`;
}
