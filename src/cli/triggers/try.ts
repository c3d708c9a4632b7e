import fs from "node:fs";
import { Option } from "commander";

import type { CliCommand } from "../cli-command.ts";
import type { readContact } from "../../contacts/one-contact.ts";
import { readSentBody } from "../../domain/triggers/sent-body.ts";
import { mapSent, type MappedItem } from "../../domain/triggers/trigger-mapping.ts";
import { triggerCautions } from "../../domain/triggers/trigger.ts";
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
      const { readContact: read } = await import("../../contacts/one-contact.ts");
      const cautions = triggerCautions(definition);
      const shown = mapping.items.map((item) => seen(item, read));
      voice.tell([
        ...cautions.map((caution) => voice.colours.yellow(`warning: ${caution}`)),
        ...shown.flatMap((item, n) => [`item ${n}: ${item.kind}`, ...item.lines]),
      ]);
      voice.json({ warnings: cautions, items: shown.map(({ lines: _lines, ...item }) => item) });
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
function seen(item: MappedItem, read: typeof readContact) {
  if (item.kind === "ignored") return { kind: item.kind, ok: true, lines: [] };
  if (item.kind === "problem") {
    const { field, problem } = item;
    return { kind: item.kind, ok: false, field, problem, lines: [`  ${field}: ${problem}`] };
  }
  const wanted = item.wanted.map((one) => {
    const contact = read(one.phone, { defaultRegion: one.region });
    return { ...one, number: contact.ok ? contact.phone : contact.reason, numberOk: contact.ok };
  });
  return {
    kind: item.kind,
    ok: wanted.every((one) => one.numberOk),
    ...(item.idempotencyKey !== undefined && { idempotency_key: item.idempotencyKey }),
    wanted: wanted.map(({ numberOk: _ok, ...one }) => one),
    lines: wanted.map((one) => `  ${JSON.stringify({ ...one, numberOk: undefined })}`),
  };
}
