import { Option } from "commander";

import type { CliCommand } from "../cli-command.ts";
import { jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";
import { momentText, numberText } from "../view/words.ts";

interface DeliveriesOptions {
  state?: string;
  limit: number;
  after?: string;
  id?: string;
  json?: true;
}

export function registerTriggerDeliveries(trigger: CliCommand): void {
  trigger
    .command("deliveries")
    .description("Lists what came through a trigger, newest first, and what became of it.")
    .argument("<name>", "the trigger")
    .addOption(
      new Option("--state <state>", "only those in this state").choices([
        "received",
        "done",
        "ignored",
        "failed",
      ]),
    )
    .option("--limit <n>", "so many at most", wholeNumber(1, 200), 50)
    .option("--after <cursor>", "go on where the page before ended")
    .option("--id <id>", "only this one, with its headers and body")
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string, options: DeliveriesOptions) => {
      const { state, limit, after, id } = options;
      if (id !== undefined) {
        const one = await withRunningSystem(config, (api) => api.triggers.delivery(id));
        voice.present([JSON.stringify(one, undefined, 2)]);
        voice.json(one);
      } else {
        const page = await withRunningSystem(config, (api) =>
          api.triggers.deliveries(name, { state, limit, after }),
        );
        const rows = page.items.map((item) => [
          item.id,
          item.state,
          String(item.times),
          momentText(item.received_at, Date.now()),
          whatCameOfIt(item.result),
        ]);
        const header = ["delivery", "state", "times", "received", "what came of it"];
        voice.present(listing("no deliveries", header, rows, voice.colours, 2));
        if (page.next_after !== null)
          voice.tell([`${numberText(page.total)} in all; more: --after ${page.next_after}`]);
        voice.json(page);
      }
    });
}

/** In a line: the first problem, or how many items were acted on. */
function whatCameOfIt(result: Record<string, unknown> | null): string {
  if (result === null) return "";
  const first = fieldOf(result, "repeats") ?? fieldOf(result, "differs_from");
  if (first !== undefined)
    return fieldOf(result, "repeats") === undefined
      ? `another body under the key of ${first}, and it asks for something else`
      : `the same again as ${first}, with another body`;
  if (typeof result["field"] === "string") return `${result["field"]} ${String(result["problem"])}`;
  const items: unknown = result["items"];
  if (!Array.isArray(items)) return "";
  const states = items.map((item: unknown) => fieldOf(item, "state"));
  const failed = items.find((item: unknown) => fieldOf(item, "state") === "failed");
  const field = fieldOf(failed, "field");
  if (field !== undefined) return `${field} ${fieldOf(failed, "problem") ?? ""}`;
  const did: unknown = typeof failed === "object" && failed !== null ? Reflect.get(failed, "did") : undefined;
  const refused: unknown = Array.isArray(did)
    ? did.find((one: unknown) => fieldOf(one, "reason") !== undefined)
    : undefined;
  if (refused !== undefined) {
    const detail = fieldOf(refused, "detail");
    const why = detail === undefined ? "" : ` (${detail})`;
    return `${fieldOf(refused, "what") ?? ""}: ${fieldOf(refused, "reason") ?? ""}${why}`;
  }
  const acted = `${states.filter((state) => state === "done").length} of ${states.length} acted on`;
  return [acted, ...unheardText(items)].join("; ");
}

/** Events that came to nobody, or to nobody who asks for them. */
function unheardText(items: readonly unknown[]): string[] {
  const unheard = items
    .flatMap(didOf)
    .filter((one) => fieldIn(one, "what") === "event" && fieldIn(one, "heard") === 0)
    .filter((one) => fieldIn(one, "repeated") !== true);
  const told = unheard.filter((one) => fieldIn(one, "told") !== 0);
  const [only] = unheard;
  if (only === undefined) return [];
  if (unheard.length > 1) return [`${unheard.length} events that nobody heard`];
  return [
    told.length === 0
      ? "event: nobody heard it"
      : `event: ${Number(fieldIn(only, "told"))} was told, and waits for no such event`,
  ];
}

function didOf(item: unknown): unknown[] {
  const did = fieldIn(item, "did");
  return Array.isArray(did) ? did : [];
}

function fieldIn(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function fieldOf(value: unknown, name: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const field: unknown = Reflect.get(value, name);
  return typeof field === "string" ? field : undefined;
}
