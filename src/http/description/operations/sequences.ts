import { of, OF_LIST, OF_SPEC } from "./operation.ts";

const does = of("sequences");

export const SEQUENCES = {
  "PUT /v1/sequences": does("putSequence", "Declares a sequence, or its next version.", [
    ...OF_SPEC,
    "command_refused",
  ]),
  "POST /v1/sequences/check": does(
    "checkSequence",
    "Says what is wrong with a sequence's definition; nothing is written.",
  ),
  "POST /v1/sequences/rehearse": does(
    "rehearseSequence",
    "Walks one person through a sequence in every way; nothing is written.",
    ["invalid_spec", "unknown_sequence", "busy"],
  ),
  "GET /v1/sequences": does("listSequences", "Lists sequences by their names."),
  "GET /v1/sequences/:ref": does("readSequence", "Shows a sequence with its definition and versions."),
  "GET /v1/sequences/:ref/conversion": does(
    "readConversion",
    "Says how people went from step to step of a sequence.",
  ),
  "GET /v1/sequences/:ref/diagram": does("drawSequence", "Draws a sequence as a Mermaid diagram."),
  "GET /v1/sequences/:ref/rejects.csv": does(
    "downloadSequenceRejects",
    "Hands out the rows of a sequence's lists that enrolled nobody.",
  ),
  "POST /v1/sequences/:ref/pause": does("pauseSequence", "Pauses everybody in a sequence.", [
    "command_refused",
  ]),
  "POST /v1/sequences/:ref/resume": does("resumeSequence", "Lets a paused sequence go on.", [
    "command_refused",
  ]),
  "POST /v1/sequences/:ref/close": does("closeSequence", "Lets nobody else into a sequence.", [
    "command_refused",
  ]),
  "POST /v1/sequences/:ref/exit": does("exitSequence", "Takes everybody out of a sequence.", [
    "command_refused",
  ]),
  "POST /v1/sequences/:ref/skip": does("skipStep", "Moves everybody past the step that they are at.", [
    "command_refused",
  ]),
  "POST /v1/sequences/:ref/event": does("tellSequence", "Tells of something that a person did.", [
    "idempotency_key_reused",
    "command_refused",
  ]),
  "POST /v1/sequences/:ref/enrolments": does("enroll", "Enrolls one person.", [
    "enrolment_refused",
    "idempotency_key_reused",
  ]),
  "GET /v1/sequences/:ref/enrolments": does(
    "listEnrolments",
    "Lists who is or was in a sequence, newest first.",
  ),
  "POST /v1/sequences/:ref/enrolments/list": does("enrollList", "Enrolls the people of a list.", [
    ...OF_LIST,
  ]),
  "GET /v1/enrolments/:id": does("readEnrolment", "Shows one person's way through a sequence."),
  "POST /v1/enrolments/:id/pause": does("pauseEnrolment", "Pauses one person.", [
    "command_refused",
    "idempotency_key_reused",
  ]),
  "POST /v1/enrolments/:id/resume": does("resumeEnrolment", "Lets one person go on.", [
    "command_refused",
    "idempotency_key_reused",
  ]),
  "POST /v1/enrolments/:id/skip": does("skipEnrolment", "Moves one person past a step.", [
    "command_refused",
    "idempotency_key_reused",
  ]),
  "POST /v1/enrolments/:id/move": does("moveEnrolment", "Moves one person to another version.", [
    "unknown_sequence",
    "command_refused",
    "idempotency_key_reused",
  ]),
  "POST /v1/enrolments/:id/exit": does("exitEnrolment", "Takes one person out.", [
    "command_refused",
    "idempotency_key_reused",
  ]),
  "POST /v1/enrolments/:id/event": does("tellEnrolment", "Tells one enrolment of something.", [
    "command_refused",
    "idempotency_key_reused",
  ]),
};
