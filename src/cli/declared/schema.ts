import { Argument } from "commander";

import type { CliCommand } from "../cli-command.ts";
import { schemaFileText, SCHEMA_NAMES, type SchemaName } from "../../domain/declared/schemas.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";

const HELP = `
Editors that know YAML check documents by it while they are written: name its file in the first line of a document,
as the documents in examples/declared do.

Example:
  outdial schema declared > schemas/declared.json`;

export function registerSchema(program: CliCommand, context: CliContext): void {
  program
    .command("schema")
    .here()
    .addArgument(new Argument("[kind]", "which").choices(SCHEMA_NAMES).default("declared"))
    .addHelpText("after", HELP)
    .action((kind: SchemaName) => {
      context.stdout.write(schemaFileText(kind));
      context.finish(EXIT.ok);
    });
}
