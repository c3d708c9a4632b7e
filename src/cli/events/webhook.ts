import type { EventWebhookWire } from "../../http/wire/event-webhooks.ts";
import type { CliCommand } from "../cli-command.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";
import { countText, momentText } from "../view/words.ts";

/** Who is sent what happens. */
export function registerEventWebhooks(webhook: CliCommand): void {
  registerPut(webhook);
  registerCheck(webhook);
  registerLists(webhook);
  registerEnable(webhook);
  registerTest(webhook);
  registerRemove(webhook);
}

const DONE = {
  created: "is there now, and is sent what happens from now on",
  changed: "has the new definition, and goes on where it was",
  none: "is as the file says already",
} as const;

function registerPut(webhook: CliCommand): void {
  webhook
    .command("put")
    .description(
      "Makes a webhook from a file, or gives it the file's definition; one that was disabled goes on.",
    )
    .argument("<file>", "YAML or JSON file")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  outdial webhook put examples/declared/crm-events.yaml")
    .does(async ({ config, voice }, file: string) => {
      const { readWebhookFile } = await import("./webhook-file.ts");
      const definition = readWebhookFile(file);
      const put = await withRunningSystem(config, (api) => api.eventWebhooks.put(definition));
      const { name } = put.webhook;
      voice.tell([
        `webhook ${name} ${DONE[put.change]}; try it: outdial webhook test ${name}`,
        ...put.warnings.map((warning) => voice.colours.yellow(`warning: ${warning}`)),
      ]);
      voice.json(put);
    });
}

function registerCheck(webhook: CliCommand): void {
  webhook
    .command("check")
    .description("Reads a webhook's file and says what is wrong with it. Needs nothing that runs.")
    .argument("<file>", "YAML or JSON file")
    .addOption(jsonOption())
    .does(async ({ voice }, file: string) => {
      const { readWebhookFile } = await import("./webhook-file.ts");
      const definition = readWebhookFile(file);
      voice.tell([`${file} is a webhook of events: ${definition.name}, ${wantedText(definition)}`]);
      voice.json(definition);
    });
}

function registerLists(webhook: CliCommand): void {
  webhook
    .command("list")
    .description("Lists webhooks by name, each with how it does and when its receiver took something last.")
    .addOption(jsonOption())
    .does(async ({ config, voice }) => {
      const found = await withRunningSystem(config, (api) => api.eventWebhooks.list());
      const nowMs = Date.now();
      const rows = found.items.map((item) => [
        item.name,
        receiverText(item.definition),
        item.state,
        item.delivered_at === null ? "never" : momentText(item.delivered_at, nowMs),
        item.trouble ?? "",
      ]);
      const columns = ["webhook", "to", "state", "delivered", ""];
      voice.present(listing("no webhooks: no program is sent what happens", columns, rows, voice.colours));
      voice.json(found);
    });
  webhook
    .command("show")
    .description("Shows a webhook with its definition, how it does, and what it lacks.")
    .argument("<name>", "the webhook")
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string) => {
      const shown = await withRunningSystem(config, (api) => api.eventWebhooks.show(name));
      const { stringify } = await import("yaml");
      voice.present([
        ...stateLines(shown.webhook, Date.now()),
        ...shown.warnings.map((warning) => voice.colours.yellow(`warning: ${warning}`)),
        stringify(shown.webhook.definition).trimEnd(),
      ]);
      voice.json(shown);
    });
}

function stateLines(webhook: EventWebhookWire, nowMs: number): string[] {
  const { name, delivered_at: delivered, failures, trouble, next_at: next } = webhook;
  const last =
    delivered === null ? "has delivered nothing yet" : `delivered last ${momentText(delivered, nowMs)}`;
  const lines = [`${name} ${last}`];
  if (trouble !== null) lines.push(`${countText(failures, "failure")} in a row: ${trouble}`);
  if (webhook.disabled_at !== null)
    lines.push(
      `disabled ${momentText(webhook.disabled_at, nowMs)}; it goes on where it stopped: outdial webhook enable ${name}`,
    );
  else if (trouble !== null && next !== null) lines.push(`tried again ${momentText(next, nowMs)}`);
  return lines;
}

function registerEnable(webhook: CliCommand): void {
  webhook
    .command("enable")
    .description("Has a webhook that was disabled go on where it stopped.")
    .argument("<name>", "the webhook")
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string) => {
      const enabled = await withRunningSystem(config, (api) => api.eventWebhooks.enable(name));
      const skipped = "; some of what happened meanwhile was forgotten, and is not sent";
      voice.tell([
        enabled.was_disabled
          ? `webhook ${name} goes on where it stopped${enabled.passed_over ? skipped : ""}`
          : `webhook ${name} was not disabled`,
      ]);
      voice.json(enabled);
    });
}

function registerTest(webhook: CliCommand): void {
  webhook
    .command("test")
    .description(
      "Sends a request without events now, and shows what was answered. Exits with 1 where it did not arrive.",
    )
    .argument("<name>", "the webhook")
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string) => {
      const tested = await withRunningSystem(config, (api) => api.eventWebhooks.test(name));
      voice.tell([
        tested.delivered
          ? `${name}: delivered (${tested.said})`
          : voice.colours.red(`${name}: not delivered: ${tested.said}`),
      ]);
      voice.json(tested);
      return tested.delivered ? EXIT.ok : EXIT.failed;
    });
}

function registerRemove(webhook: CliCommand): void {
  webhook
    .command("remove")
    .grave()
    .description("Takes a webhook back: it is sent nothing any more, and its place in the feed is forgotten.")
    .argument("<name>", "the webhook")
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string) => {
      const result = await withRunningSystem(config, (api) => api.eventWebhooks.remove(name));
      voice.tell([`webhook ${result.removed.name} is gone`]);
      voice.json(result);
    });
}

/** To which host, of which types and brands. */
function wantedText({
  to,
  types,
  brands,
}: {
  to: unknown;
  types?: readonly string[] | undefined;
  brands?: readonly string[] | undefined;
}): string {
  const what = types === undefined ? "events of every type" : types.join(", ");
  const whose = brands === undefined ? "" : ` of ${brands.join(", ")}`;
  return `${what}${whose} to ${receiverText({ to })}`;
}

/** The host alone: an address may hold what is nobody else's. */
function receiverText({ to }: { to?: unknown }): string {
  const webhook = fieldOf(to, "webhook");
  const url = fieldOf(webhook, "url");
  return typeof url === "string" && URL.canParse(url) ? new URL(url).host : "an address that is a secret";
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
