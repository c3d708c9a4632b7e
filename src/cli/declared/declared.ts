import type { Command } from "commander";

import type { CliContext } from "../context.ts";
import { registerApply } from "./apply.ts";
import { registerDiff } from "./diff.ts";
import { registerExport } from "./export.ts";
import { registerPrune } from "./prune.ts";
import { registerSchema } from "./schema.ts";

/** Declared state: a folder of documents, and what is there. */
export function registerDeclaredCommands(program: Command, context: CliContext): void {
  registerApply(program, context);
  registerDiff(program, context);
  registerPrune(program, context);
  registerExport(program, context);
  registerSchema(program, context);
}
