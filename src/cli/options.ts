import { InvalidArgumentError, Option } from "commander";

import type { Config } from "../config.ts";
import { readMountPath, SANDBOX_DIALECTS } from "../sandbox-mount.ts";
import type { SandboxOptions } from "../sandbox/options.ts";

/*
 * Options that several commands share, and how their values are read.
 */

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^-?\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

function positiveNumber(max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && Number.isFinite(value) && value > 0 && value <= max) return value;
    throw new InvalidArgumentError(`It must be a number above 0, up to ${max}.`);
  };
}

function region(text: string): string {
  const code = text.trim().toUpperCase();
  if (/^[A-Z]{2}$/.test(code)) return code;
  throw new InvalidArgumentError("It must be a two-letter country code such as US.");
}

/** A moment, as the API takes it: with its offset, since clocks of nobody in particular say nothing. */
export function instant(text: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text)) {
    if (Number.isFinite(Date.parse(text))) return text;
  }
  throw new InvalidArgumentError("It must be a time with its zone, such as 2026-12-01T10:00:00Z.");
}

/** An id of ours, which is what it is everywhere: other words in its place are told as such. */
export function idArgument(text: string): string {
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return text;
  throw new InvalidArgumentError("It must be an id such as 11111111-1111-4111-8111-111111111111.");
}

/** A shell variable that is not set would name the folder that one stands in, with a ledger that knows nobody. */
export function folder(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("It must name a folder.");
}

function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

export const dataDirOption = () =>
  new Option("--data-dir <folder>", "the data folder, instead of OUTDIAL_DATA_DIR").argParser(folder);

export const contextOption = () =>
  new Option(
    "--context <name>",
    "the system of this name (`outdial context list`), instead of OUTDIAL_CONTEXT",
  );

/** Which column is what, as often as needed. */
export const mapOption = () =>
  new Option(
    "--map <name=column>",
    "which column is phone, time_zone or region, or the variable to make of it; again for each",
  )
    .argParser(collect)
    .default([], "found by their names");

export const regionOption = () =>
  new Option("--default-region <country>", "country of numbers without +, such as US").argParser(region);

export const brandOption = () => new Option("--brand <brand>", "whose campaign it is").default("default");

export const jsonOption = () =>
  new Option("--json", "one JSON object on standard output, everything else on standard error");

/** For `outdial up`, which starts it so and listens to it. */
export const supervisedOption = () => new Option("--supervised").hideHelp();

export const dialectOption = () =>
  new Option("--dialect <dialect>", "how it shows the platform, instead of OUTDIAL_SANDBOX_DIALECT").choices([
    ...SANDBOX_DIALECTS,
  ]);

export const basePathOption = () =>
  new Option(
    "--base-path <path>",
    "mount it under this path, instead of OUTDIAL_SANDBOX_BASE_PATH",
  ).argParser((text) => {
    const path = readMountPath(text);
    if (path !== undefined) return path;
    throw new InvalidArgumentError("It must be a path such as /api.");
  });

/** How a sandbox is started: what an option says goes before the settings. */
export function sandboxManner(
  { sandbox }: Config,
  { dialect, basePath }: Partial<Config["sandbox"]> = {},
): Pick<SandboxOptions, "dialect" | "basePath"> {
  const path = basePath ?? sandbox.basePath;
  return { dialect: dialect ?? sandbox.dialect, ...(path !== undefined && { basePath: path }) };
}

/** The sandbox takes 32 bits. */
export const seedOption = () =>
  new Option("--seed <n>", "seed of the sandbox: what happens on calls follows from it").argParser(
    wholeNumber(-(2 ** 31), 2 ** 32 - 1),
  );

/** What the engine's own pace is divided by goes to 10,000 (OUTDIAL_SPEED). */
export const speedOption = () =>
  new Option("--speed <x>", "divides every duration of the sandbox; times stay those of the clock").argParser(
    positiveNumber(10_000),
  );
