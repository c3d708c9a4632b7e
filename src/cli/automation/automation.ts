import type { Command } from "commander";

import type { CliContext } from "../context.ts";
import { registerAutomationControls } from "./control.ts";
import { registerAutomationExecutions } from "./executions.ts";
import { registerAutomationLists } from "./list.ts";
import { registerAutomationImport, registerAutomationPut } from "./put.ts";

export function registerAutomationCommands(program: Command, context: CliContext): void {
  const automation = program
    .command("automation")
    .description("Workflows of the platform that are kept as declared: where they stand, and what they ran.");
  registerAutomationPut(automation, context);
  registerAutomationLists(automation, context);
  registerAutomationExecutions(automation, context);
  registerAutomationControls(automation, context);
  registerAutomationImport(automation, context);
}
