import fs from "node:fs";
import { Option } from "commander";

import type { CliCommand } from "../cli-command.ts";
import { readSentBody } from "../../domain/triggers/sent-body.ts";
import { mapSent } from "../../domain/triggers/trigger-mapping.ts";
import { triggerCautions } from "../../domain/triggers/trigger.ts";
import type { TriedItem } from "../../contacts/tried-item.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption } from "../options.ts";
import { readTriggerFile } from "./definition-file.ts";

interface TryOptions {
  body: string;
  header: readonly string[];
  form?: true;
  json?: true;
}

export function registerTriggerTry(trigger: CliCommand): void {
  trigger
    .command("try")
    .description("Says what a trigger would make of a body. Nothing is sent, and nothing has to run.")
    .argument("<file>", "YAML or JSON file of the trigger")
    .requiredOption("--body <file>", "what its sender sends: a file")
    .option("--form", "the body is a form, not JSON")
    .addOption(
      new Option("--header <name=value>", "a header of the request; again for each")
        .argParser(collect)
        .default([], "none"),
    )
    .addOption(jsonOption())
    .addHelpText("after", "\nExits with 2 where an item can't be acted on.")
    .does(async ({ voice }, file: string, options: TryOptions) => {
      const definition = readTriggerFile(file);
      const reading = readSentBody(options.form ? "form" : "json", fs.readFileSync(options.body, "utf8"));
      if (!reading.ok) throw new CliError(`${options.body} ${reading.problem}`, EXIT.badInput);
      const { payload } = reading;
      const mapping = mapSent(definition, { payload, headers: headersOf(options.header), atMs: Date.now() });
      if (!mapping.ok) throw new CliError(`${mapping.field}: ${mapping.problem}`, EXIT.badInput);
      const { triedItem } = await import("../../contacts/tried-item.ts");
      const cautions = triggerCautions(definition);
      const shown = mapping.items.map(triedItem);
      voice.tell([
        ...cautions.map((caution) => voice.colours.yellow(`warning: ${caution}`)),
        ...shown.flatMap((item, n) => [`item ${n}: ${item.kind}`, ...itemLines(item)]),
      ]);
      voice.json({ warnings: cautions, items: shown });
      return shown.every((item) => item.ok) ? EXIT.ok : EXIT.badInput;
    });
}

function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

function headersOf(headers: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    headers.map((header) => {
      const at = header.indexOf("=");
      if (at > 0) return [header.slice(0, at).toLowerCase(), header.slice(at + 1)];
      throw new CliError(`--header ${header}: write it as name=value`, EXIT.badInput);
    }),
  );
}

/** An item in words: what would be done, and whether its number can be read. */
function itemLines(item: TriedItem): string[] {
  if (item.kind === "ignored") return [];
  if (item.kind === "problem") return [`  ${item.field}: ${item.problem}`];
  return item.wanted.map((one) => `  ${JSON.stringify(one)}`);
}
