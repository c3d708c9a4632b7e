import type { Command } from "commander";

import type { CliContext } from "../context.ts";
import { registerSequenceCheck } from "./check.ts";
import { registerSequenceControls } from "./control.ts";
import { registerSequenceEnroll } from "./enroll.ts";
import { registerSequenceEnrolment } from "./enrolment.ts";
import { registerSequenceEnrolments } from "./enrolments.ts";
import { registerSequenceEvent } from "./event.ts";
import { registerSequenceList } from "./list.ts";
import { registerSequencePut } from "./put.ts";
import { registerSequenceShow } from "./show.ts";
import { registerSequenceStatus } from "./status.ts";

export function registerSequenceCommands(program: Command, context: CliContext): void {
  const sequence = program
    .command("sequence")
    .description("Journeys of single people: writes them down, enrolls people, shows where they are.");
  registerSequenceCheck(sequence, context);
  registerSequenceShow(sequence, context);
  registerSequencePut(sequence, context);
  registerSequenceList(sequence, context);
  registerSequenceStatus(sequence, context);
  registerSequenceEnroll(sequence, context);
  registerSequenceEnrolments(sequence, context);
  registerSequenceEnrolment(sequence, context);
  registerSequenceEvent(sequence, context);
  registerSequenceControls(sequence, context);
}
