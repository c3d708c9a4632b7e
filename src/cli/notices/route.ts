import type { RouteWire } from "../../http/wire/notices.ts";
import type { CliCommand } from "../cli-command.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";
import { countText, momentText, numberText } from "../view/words.ts";

export function registerAttentionRoute(attention: CliCommand): void {
  const route = attention
    .command("route")
    .description("Who is told of what waits for people: by webhook, Slack or e-mail.");
  registerPut(route);
  registerCheck(route);
  registerLists(route);
  registerRemove(route);
}

const DONE = {
  created: "is there now, and is told of all that waits and concerns it",
  changed: "has the new definition",
  none: "is as the file says already",
} as const;

function registerPut(route: CliCommand): void {
  route
    .command("put")
    .description("Makes a route from a file, or gives it the file's definition.")
    .argument("<file>", "YAML or JSON file")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  outdial attention route put examples/attention/on-call.yaml")
    .does(async ({ config, voice }, file: string) => {
      const { readRouteFile } = await import("./route-file.ts");
      const definition = readRouteFile(file);
      const put = await withRunningSystem(config, (api) => api.notices.put(definition));
      voice.tell([
        `route ${put.route.name} ${DONE[put.change]}; try it: outdial attention test --route ${put.route.name}`,
        ...put.warnings.map((warning) => voice.colours.yellow(`warning: ${warning}`)),
      ]);
      voice.json(put);
    });
}

function registerCheck(route: CliCommand): void {
  route
    .command("check")
    .description("Reads a route's file and says what is wrong with it. Needs nothing that runs.")
    .argument("<file>", "YAML or JSON file")
    .addOption(jsonOption())
    .does(async ({ voice }, file: string) => {
      const { readRouteFile } = await import("./route-file.ts");
      const definition = readRouteFile(file);
      voice.tell([`${file} is a route: ${definition.name}, ${toText(definition)}`]);
      voice.json(definition);
    });
}

function registerLists(route: CliCommand): void {
  route
    .command("list")
    .description("Lists routes by name, each with when it delivered last, or why it does not.")
    .addOption(jsonOption())
    .does(async ({ config, voice }) => {
      const found = await withRunningSystem(config, (api) => api.notices.list());
      const nowMs = Date.now();
      const rows = found.items.map((item) => [
        item.name,
        toText(item.definition),
        item.delivered_at === null ? "never" : momentText(item.delivered_at, nowMs),
        item.trouble ?? "",
      ]);
      voice.present(
        listing("no routes: nobody is told", ["route", "to", "delivered", ""], rows, voice.colours),
      );
      voice.json(found);
    });
  route
    .command("show")
    .description("Shows a route with its definition, and its newest messages.")
    .argument("<name>", "the route")
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string) => {
      const shown = await withRunningSystem(config, (api) => api.notices.show(name));
      const { stringify } = await import("yaml");
      const nowMs = Date.now();
      const rows = shown.messages.map((message) => [
        momentText(message.created_at, nowMs),
        message.outcome === null ? "under way" : message.outcome === "delivered" ? "delivered" : "given up",
        numberText(message.tries),
        message.headline,
        message.outcome === "delivered" ? "" : (message.error ?? ""),
      ]);
      voice.present([
        ...stateLines(shown.route, nowMs),
        ...shown.warnings.map((warning) => voice.colours.yellow(`warning: ${warning}`)),
        stringify(shown.route.definition).trimEnd(),
      ]);
      voice.present(listing("no messages", ["written", "", "tries", "says", ""], rows, voice.colours));
      voice.json(shown);
    });
}

function stateLines(
  { name, delivered_at: delivered, failures, trouble, next_at: next }: RouteWire,
  nowMs: number,
) {
  const last =
    delivered === null ? "has delivered nothing yet" : `delivered last ${momentText(delivered, nowMs)}`;
  if (trouble === null) return [`${name} ${last}`];
  const again = next === null ? "" : `; tried again ${momentText(next, nowMs)}`;
  return [`${name} ${last}`, `${countText(failures, "failure")} in a row: ${trouble}${again}`];
}

function registerRemove(route: CliCommand): void {
  route
    .command("remove")
    .grave()
    .description("Takes a route back: nobody is told by it any more.")
    .argument("<name>", "the route")
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string) => {
      const result = await withRunningSystem(config, (api) => api.notices.remove(name));
      voice.tell([`route ${result.removed.name} is gone`]);
      voice.json(result);
    });
}

/** By which way it goes, and whom it reaches, as far as that may be shown. */
function toText({ to }: { to?: unknown }): string {
  if (typeof to !== "object" || to === null) return "";
  if ("slack" in to && to.slack !== undefined) return "slack";
  if ("email" in to && isWay(to.email) && Array.isArray(to.email["to"])) return to.email["to"].join(", ");
  if (!("webhook" in to) || !isWay(to.webhook)) return "";
  const url: unknown = to.webhook["url"];
  return typeof url === "string" && URL.canParse(url) ? new URL(url).host : "webhook";
}

function isWay(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
