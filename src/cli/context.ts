import type { Readable } from "node:stream";
import type { Logger } from "pino";

import type { Config } from "../config.ts";
import type { Platform, PlatformOptions } from "../platform/index.ts";
import type { SandboxOptions } from "../sandbox/options.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { System, SystemOptions } from "../system.ts";
import type { TemporalServer, TemporalServerOptions } from "../temporal/server/index.ts";
import { askedForm, type FormOptions } from "./answer-form.ts";
import type { ExitCode } from "./exit-codes.ts";
import { coloursOf, type Colours } from "./view/colours.ts";
import { openScreen, type Screen, type TerminalStream } from "./view/screen.ts";
import type { OpenedLedger } from "../open-ledger.ts";

/** What commands can start. The composition root gives it, so that a command loads only what it uses. */
export interface CliPorts {
  openLedger(config: Config, log: Logger): Promise<OpenedLedger>;
  startSystem(options: SystemOptions): Promise<System>;
  openPlatform(config: Config, log: Logger, options?: Partial<PlatformOptions>): Promise<Platform>;
  runSandbox(options: SandboxOptions): Promise<Sandbox>;
  /** What a definition needs and this machine's settings, and the platform that they name, do not have. */
  lookForMissing(config: Config, definition: unknown, sequenceState: SequenceLook): Promise<MissingNeed[]>;
  /** What the OpenID Connect provider says of itself; undefined: none is set. @throws ProviderAwayError */
  lookAtProvider: (config: Config) => Promise<{ issuer: string } | undefined>;
  provideTemporalServer(options: TemporalServerOptions): Promise<TemporalServer>;
}

export interface MissingNeed {
  field: string;
  problem: string;
}

/** Looks for a sequence in the running system; `unknown`: none runs. */
export type SequenceLook = (
  brand: string,
  name: string,
) => Promise<"there" | "closed" | "missing" | "unknown">;

/** What a command says of the context that it goes by. */
export interface AskedContext {
  /** The one that `--context` names. */
  readonly context: string | undefined;
  /** It goes by none. */
  readonly isHere: boolean;
}

/** What every command stands on. */
export interface CliContext {
  /** Reads the settings, with the folder of `--data-dir` in place of OUTDIAL_DATA_DIR. @throws ConfigError */
  settings(dataDir?: string, asked?: AskedContext): Config;
  ports: CliPorts;
  /** Where a person types, or what was piped in. Absent: nobody is there, and nothing. */
  stdin?: Readable & { readonly isTTY?: boolean };
  stdout: TerminalStream;
  stderr: TerminalStream;
  /** Aborted when nobody reads standard output any more, as behind `| head`. */
  readerGone?: AbortSignal;
  /** Says how the command ended; by default well. */
  finish(code: ExitCode): void;
}

/** Where a command's words go. */
export interface Voice {
  /** What happens meanwhile, and pictures. */
  readonly screen: Screen;
  readonly colours: Colours;
  /** Whether the command's words are its answer; else its fields are, on standard output. */
  readonly inWords: boolean;
  /** What the command was asked for. */
  tell(lines: readonly string[]): void;
  /** The whole answer in words: said to nobody who asked for its fields, since these say the same. */
  present(lines: readonly string[]): void;
  /** The answer as the API has it, written where somebody asked for its fields (answer-form.ts). */
  json(value: unknown): void;
}

/** What a definition would fail over as things are. */
export function warningLines({ colours }: Voice, warnings: readonly string[]): string[] {
  return warnings.map((warning) => colours.yellow(`warning: ${warning}`));
}

/**
 * Where somebody asked for the answer's fields, everything else goes to standard error, so that standard output is for
 * a program.
 */
export async function voiceOf(
  context: Pick<CliContext, "stdout" | "stderr">,
  config: Pick<Config, "terminal">,
  options: FormOptions,
): Promise<Voice> {
  const { stdout, stderr } = context;
  const asked = askedForm(options);
  const { inWords } = asked;
  const stream = inWords ? stdout : stderr;
  const { noColor, dumb } = config.terminal;
  const coloursIn = ({ isTTY }: TerminalStream) => coloursOf(isTTY === true && !noColor && !dumb);
  const screen = openScreen(stream, { live: !dumb });
  const answer = inWords
    ? undefined
    : await (
        await import("./view/answer-text.ts")
      ).answerWriter(asked, {
        colours: coloursIn(stdout),
        isTTY: stdout.isTTY === true,
      });
  const tell = (lines: readonly string[]) => {
    for (const line of lines) screen.say(line);
  };
  return {
    screen,
    colours: coloursIn(stream),
    inWords,
    tell,
    present: (lines) => {
      if (inWords) tell(lines);
    },
    json: (value) => {
      if (!answer) return;
      const { text, absent, present } = answer(value);
      stdout.write(text);
      if (absent.length > 0) stderr.write(`outdial: ${absentText(absent, present)}\n`);
    },
  };
}

/** What was asked for is done all the same: a field may be there another time. */
function absentText(absent: readonly string[], present: readonly string[]): string {
  return `the answer has no field ${absent.join(", ")}: it has ${present.join(", ")}`;
}
