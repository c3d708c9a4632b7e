import type { CliCommand, Doing } from "../cli-command.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { countText, inFlightText } from "../view/words.ts";
import { sequenceBrandOption } from "./options.ts";

interface ControlOptions {
  brand: string;
  enrolment?: string;
  outcome?: string;
  reason?: string;
  json?: true;
}

const CONTROLS = [
  {
    name: "pause",
    description: "Nobody moves on, and nobody is called. Answers when no new call can begin.",
    ofOne: true,
  },
  {
    name: "resume",
    description: "Goes on with what was paused; opens a sequence that is closed.",
    ofOne: true,
  },
  {
    name: "close",
    description: "Takes nobody any more; those who are in the sequence go on to their ends.",
    ofOne: false,
  },
  { name: "exit", description: "Takes everybody who is in the sequence out of it, or one.", ofOne: true },
  {
    name: "skip",
    description: "Has everybody who is in the sequence leave their present step, or one.",
    ofOne: true,
  },
] as const;

/** pause, resume, close, exit, skip: one word each to a sequence, or to one enrolment. */
export function registerSequenceControls(sequence: CliCommand): void {
  for (const { name, description, ofOne } of CONTROLS) {
    const command = sequence
      .command(name)
      .description(description)
      .argument(ofOne ? "[sequence]" : "<sequence>", "its name or id")
      .addOption(sequenceBrandOption());
    if (name !== "pause") command.grave();
    if (ofOne) command.option("--enrolment <id>", "only this one");
    if (name === "exit")
      command.option("--outcome <word>", "with --enrolment: what it ends with, instead of exited");
    command
      .option("--reason <text>", "written down with it")
      .addOption(jsonOption())
      .does((doing, ref: string | undefined, options: ControlOptions) =>
        options.enrolment === undefined || name === "close"
          ? tellAll(doing, name, ref, options)
          : tellOne(doing, name, options.enrolment, ref, options),
      );
  }
}

type ControlName = (typeof CONTROLS)[number]["name"];

async function tellAll(
  { config, voice }: Doing,
  name: ControlName,
  ref: string | undefined,
  options: ControlOptions,
): Promise<void> {
  if (ref === undefined)
    throw new CliError(`say which: outdial sequence ${name} <sequence>, or --enrolment <id>`, EXIT.badInput);
  if (options.outcome !== undefined)
    throw new CliError(
      "--outcome goes with --enrolment: those who are taken out at once are exited",
      EXIT.badInput,
    );
  const result = await withRunningSystem(config, (api) =>
    api.sequences.tell(ref, name, options.brand, options.reason),
  );
  voice.tell([
    result.told === undefined
      ? `${ref} is ${result.state}`
      : `${countText(result.told, "person", "people")} told to ${name}`,
    ...(result.in_flight ? [inFlightText(result.in_flight)] : []),
  ]);
  voice.json(result);
}

async function tellOne(
  { config, voice }: Doing,
  name: Exclude<ControlName, "close">,
  enrolmentId: string,
  ref: string | undefined,
  options: ControlOptions,
): Promise<void> {
  if (ref !== undefined)
    throw new CliError(
      "give a sequence for everybody in it, or --enrolment for one, not both",
      EXIT.badInput,
    );
  const { reason, outcome } = options;
  const result = await withRunningSystem(config, (api) =>
    api.sequences.tellOne(enrolmentId, name, { reason, ...(name === "exit" && { outcome }) }),
  );
  const where = result.step === null ? "" : ` at ${result.step}`;
  voice.tell([
    result.outcome === null
      ? `the enrolment is ${result.paused ? "paused" : "active"}${where}`
      : `the enrolment is over: ${result.outcome}`,
  ]);
  voice.json(result);
}
