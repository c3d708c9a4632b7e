import type { Command } from "commander";

import type { CliContext } from "../context.ts";
import { registerTriggerDeliveries } from "./deliveries.ts";
import { registerTriggerLists } from "./list.ts";
import { registerTriggerPut } from "./put.ts";
import { registerTriggerRetry } from "./retry.ts";
import { registerTriggerSwitch } from "./switch.ts";
import { registerTriggerTry } from "./try.ts";

export function registerTriggerCommands(program: Command, context: CliContext): void {
  const trigger = program
    .command("trigger")
    .description("Doors through which other systems tell of something, and what becomes of that.");
  registerTriggerPut(trigger, context);
  registerTriggerTry(trigger, context);
  registerTriggerLists(trigger, context);
  registerTriggerSwitch(trigger, context);
  registerTriggerDeliveries(trigger, context);
  registerTriggerRetry(trigger, context);
}
