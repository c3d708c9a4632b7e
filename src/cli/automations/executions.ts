import type { CliCommand } from "../cli-command.ts";
import type { AutomationHealthWire } from "../../http/wire/automations.ts";
import { jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";
import { momentText, numberText } from "../view/words.ts";

export function registerAutomationExecutions(automation: CliCommand): void {
  registerHealth(automation);
  registerExecutions(automation);
  registerRerun(automation);
}

function registerHealth(automation: CliCommand): void {
  automation
    .command("health")
    .description(
      "Tells how automations are: what succeeded within a day, the last result, what people have to see.",
    )
    .addOption(jsonOption())
    .does(async ({ config, voice }) => {
      const found = await withRunningSystem(config, (api) => api.automations.health());
      const nowMs = Date.now();
      const header = ["automation", "", "success", "failed", "running", "last result", "alerts"];
      const rows = found.items.map((item) => healthRow(item, nowMs));
      voice.present(listing("no automations", header, rows, voice.colours));
      for (const { alerts } of found.items)
        for (const { summary, remedy } of alerts) voice.tell([summary, `  ${remedy}`]);
      voice.json(found);
    });
}

function healthRow(item: AutomationHealthWire["items"][number], nowMs: number): string[] {
  const { last, success_rate: rate } = item;
  return [
    item.name,
    item.state,
    rate === null ? "none yet" : `${Math.round(rate * 1_000) / 10} %`,
    numberText(item.failed),
    numberText(item.running),
    last ? `${last.status} ${momentText(last.started_at, nowMs)}` : "none",
    numberText(item.alerts.length),
  ];
}

interface ExecutionsOptions {
  failed?: true;
  limit: number;
  after?: string;
  json?: true;
}

function registerExecutions(automation: CliCommand): void {
  automation
    .command("executions")
    .description("Lists what an automation ran, newest first, as far as it was seen.")
    .argument("<name>", "the automation")
    .option("--failed", "only those that failed or timed out")
    .option("--limit <n>", "so many at most", wholeNumber(1, 200), 50)
    .option("--after <cursor>", "go on where the page before ended")
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string, options: ExecutionsOptions) => {
      const { limit, after } = options;
      const failed = options.failed === true;
      const page = await withRunningSystem(config, (api) =>
        api.automations.executions(name, { failed, limit, after }),
      );
      const rows = page.items.map((item) => [
        item.started_at,
        item.status,
        item.execution_id,
        item.repeats === null ? (item.error ?? "") : `repeats ${item.repeats}`,
      ]);
      voice.present(listing("no executions", ["started", "status", "execution", ""], rows, voice.colours));
      if (page.next_after !== null)
        voice.tell([`${numberText(page.total)} in all; more: --after ${page.next_after}`]);
      voice.json(page);
    });
}

function registerRerun(automation: CliCommand): void {
  automation
    .command("rerun")
    .grave()
    .description("Runs an execution again that failed, with what it was given.")
    .argument("<execution>", "its id")
    .addOption(jsonOption())
    .does(async ({ config, voice }, executionId: string) => {
      const rerun = await withRunningSystem(config, (api) => api.automations.rerun(executionId));
      voice.tell([
        `execution ${rerun.repeats} is run again: \`outdial automation show ${rerun.automation}\` tells what comes of it`,
      ]);
      voice.json(rerun);
    });
}
