import { Option } from "commander";

import { SOURCE_TYPES } from "../../domain/policy/suppression-source.ts";
import type { SourceWire } from "../../http/wire/suppressions.ts";
import type { CliCommand } from "../cli-command.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";
import { countText, momentText, numberText } from "../view/words.ts";
import { scopeOption, stoppedText } from "./scope.ts";

export function registerSuppressSource(suppress: CliCommand): void {
  const source = suppress
    .command("source")
    .description("Lists that are replaced as a whole, each with a type, a scope and an age.");
  registerPut(source);
  registerLists(source);
  registerRemove(source);
}

interface PutOptions {
  type: string;
  brand?: string;
  maxAge?: string;
}

function registerPut(source: CliCommand): void {
  source
    .command("put")
    .description(
      "Declares a source, or changes it. One with an age keeps campaigns in its scope from dialing until it has a list that is young enough.",
    )
    .argument("<name>", "what it is called, as in ftc-dnc")
    .addOption(
      new Option("--type <type>", "what its list is about")
        .choices(Object.keys(SOURCE_TYPES))
        .makeOptionMandatory(),
    )
    .addOption(scopeOption())
    .option(
      "--max-age <duration>",
      "how old its list may be to be dialed by, as in 31d; without it, as old as it is",
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExample:\n  outdial suppress source put ftc-dnc --type do_not_call --max-age 31d",
    )
    .does(async ({ config, voice }, name: string, { type, brand, maxAge }: PutOptions) => {
      const put = await withRunningSystem(config, (api) =>
        api.suppressions.sources.put(name, { type, brand, max_age: maxAge }),
      );
      voice.tell([
        `${sourceText(put.source)}${put.is_new ? "" : ", changed"}${stoppedText(put.stopped_batches)}`,
        ...(put.source.age === "stale"
          ? [
              `nobody in its scope is called until it has a newer list: outdial suppress import FILE --source ${name} --replace`,
            ]
          : []),
      ]);
      voice.json(put);
    });
}

function registerLists(source: CliCommand): void {
  source
    .command("list")
    .description("Lists sources with their types, scopes and ages.")
    .option("--brand <brand>", "only what binds this brand")
    .addOption(jsonOption())
    .does(async ({ config, voice }, { brand }: { brand?: string }) => {
      const { items } = await withRunningSystem(config, (api) => api.suppressions.sources.list({ brand }));
      const rows = items.map((item) => [
        item.name,
        item.type,
        item.brand ?? "every brand",
        numberText(item.numbers),
        item.renewed_at === null ? "never" : momentText(item.renewed_at, Date.now()),
        item.max_age ?? "",
        item.age === "fresh" ? "" : item.age,
      ]);
      const headings = ["name", "type", "for", "numbers", "list of", "may be", ""];
      voice.tell(listing("no sources", headings, rows, voice.colours));
      voice.json({ items });
    });
  source
    .command("show")
    .description("Shows a source, and what each list that was sent for it changed.")
    .argument("<name>", "the source")
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string) => {
      const shown = await withRunningSystem(config, (api) => api.suppressions.sources.read(name));
      const rows = shown.loads.map((load) => [
        momentText(load.began_at, Date.now()),
        load.list,
        load.state,
        numberText(load.added),
        numberText(load.kept),
        load.removed === null ? "" : numberText(load.removed),
        load.actor,
      ]);
      voice.tell([sourceText(shown.source)]);
      const headings = ["sent", "list", "", "added", "kept", "removed", "by"];
      voice.tell(listing("no lists", headings, rows, voice.colours));
      voice.json(shown);
    });
}

function registerRemove(source: CliCommand): void {
  source
    .command("remove")
    .description("Takes a source back: nobody is suppressed by its list any more. What was is kept.")
    .argument("<name>", "the source")
    .requiredOption("--reason <text>", "why; it is kept for good")
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string, { reason }: { reason: string }) => {
      const result = await withRunningSystem(config, (api) => api.suppressions.sources.remove(name, reason));
      voice.tell([
        `${name} is gone: the ${countText(result.removed.numbers, "number")} of its list may be dialed, unless something else is against it`,
      ]);
      voice.json(result);
    });
}

function sourceText({ name, type, brand, max_age, renewed_at, numbers }: SourceWire): string {
  const age = max_age === null ? "of any age" : `at most ${max_age} old`;
  const list =
    renewed_at === null
      ? "no list yet"
      : `${countText(numbers, "number")}, of ${momentText(renewed_at, Date.now())}`;
  return `${name} (${type}, ${brand ?? "every brand"}, ${age}): ${list}`;
}
