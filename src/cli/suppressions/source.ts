import { Option } from "commander";

import { WHEN_AWAY } from "../../domain/policy/scrubbing.ts";
import { SOURCE_TYPES } from "../../domain/policy/suppression-source.ts";
import type { SourceWire } from "../../http/wire/suppressions.ts";
import type { CliCommand } from "../cli-command.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";
import { countText, momentText, numberText } from "../view/words.ts";
import { scopeOption, stoppedText } from "./scope.ts";
import { registerSourceCheck } from "./source-check.ts";

export function registerSuppressSource(suppress: CliCommand): void {
  const source = suppress
    .command("source")
    .description("Lists that are replaced as a whole, each with a type, a scope and an age.");
  registerPut(source);
  registerLists(source);
  registerSourceCheck(source);
  registerRemove(source);
}

interface PutOptions {
  type: string;
  brand?: string;
  maxAge?: string;
  scrubUrl?: string;
  secret?: string;
  cacheFor?: string;
  whenAway?: string;
}

function registerPut(source: CliCommand): void {
  source
    .command("put")
    .description(
      "Declares a source, or changes it. One with an age keeps campaigns in its scope from dialing until it has a list that is young enough; one with an address is asked about each number before it is dialed.",
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
    .option(
      "--scrub-url <url>",
      "where a scrubbing service is asked about numbers before they are dialed, many at once",
    )
    .option("--secret <name>", "with --scrub-url: the name of the secret that signs requests")
    .option("--cache-for <duration>", "with --scrub-url: how long an answer holds; 30d if nothing is said")
    .addOption(
      new Option(
        "--when-away <rule>",
        "with --scrub-url: what holds for numbers without an answer while it is away; wait if nothing is said",
      ).choices(Object.keys(WHEN_AWAY)),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  outdial suppress source put ftc-dnc --type do_not_call --max-age 31d\n  outdial suppress source put carrier-scrub --type scrub --scrub-url https://scrub.example.com/v1/numbers --secret carrier-scrub --cache-for 7d",
    )
    .does(async ({ config, voice }, name: string, options: PutOptions) => {
      const { type, brand, maxAge } = options;
      const scrub = scrubOf(options);
      const put = await withRunningSystem(config, (api) =>
        api.suppressions.sources.put(name, { type, brand, max_age: maxAge, ...(scrub && { scrub }) }),
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

/** @throws CliError where something is said of a service of which no address is. */
function scrubOf({ scrubUrl: url, secret, cacheFor, whenAway }: PutOptions) {
  if (url === undefined) {
    if (secret !== undefined || cacheFor !== undefined || whenAway !== undefined)
      throw new CliError(
        "--secret, --cache-for and --when-away are of a service: give --scrub-url, too",
        EXIT.badInput,
      );
    return undefined;
  }
  if (secret === undefined)
    throw new CliError(
      "--scrub-url needs --secret: the name of the secret that signs requests (OUTDIAL_SECRET_<NAME>)",
      EXIT.badInput,
    );
  return { url, secret, cache_for: cacheFor, when_away: whenAway };
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
        item.max_age ?? item.scrub?.cache_for ?? "",
        item.scrub?.trouble ? troubleWord(item.scrub) : item.age === "fresh" ? "" : item.age,
      ]);
      const headings = ["name", "type", "for", "numbers", "list of", "may be", ""];
      voice.present(listing("no sources", headings, rows, voice.colours));
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
      voice.present([sourceText(shown.source)]);
      const headings = ["sent", "list", "", "added", "kept", "removed", "by"];
      voice.present(listing("no lists", headings, rows, voice.colours));
      voice.json(shown);
    });
}

function registerRemove(source: CliCommand): void {
  source
    .command("remove")
    .grave()
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

function troubleWord({ away_since: awaySince }: NonNullable<SourceWire["scrub"]>): string {
  return awaySince === null ? "fails" : "away";
}

function sourceText(source: SourceWire): string {
  const { name, type, brand, max_age, renewed_at, numbers, scrub } = source;
  const head = (age: string) => `${name} (${type}, ${brand ?? "every brand"}, ${age})`;
  if (scrub !== null) return `${head(`answers hold for ${scrub.cache_for}`)}: ${scrubText(scrub)}`;
  const list =
    renewed_at === null
      ? "no list yet"
      : `${countText(numbers, "number")}, of ${momentText(renewed_at, Date.now())}`;
  return `${head(max_age === null ? "of any age" : `at most ${max_age} old`)}: ${list}`;
}

function scrubText(scrub: NonNullable<SourceWire["scrub"]>): string {
  const { url, secret, when_away: rule, tried_at: tried, trouble, failures, asked_again_at: again } = scrub;
  const asked = `asked at ${url}, signed with ${secret}, ${rule === "wait" ? "whoever has no answer waits" : "dialed without it while it is away"}`;
  if (tried === null) return `${asked}; not asked yet`;
  const last = `asked last ${momentText(tried, Date.now())}`;
  if (trouble === null) return `${asked}; ${last}, and it answered`;
  const next = again === null ? "" : `; asked again ${momentText(again, Date.now())}`;
  const times = failures === 0 ? "" : ` (${countText(failures, "failure")} in a row)`;
  return `${asked}; ${last}: ${trouble}${times}${next}`;
}
