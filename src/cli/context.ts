import type { Readable } from "node:stream";
import type { Logger } from "pino";

import type { Config } from "../config.ts";
import type { Platform, PlatformOptions } from "../platform/index.ts";
import type { SandboxOptions } from "../sandbox/options.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { System, SystemOptions } from "../system.ts";
import type { TemporalServer, TemporalServerOptions } from "../temporal/server/index.ts";
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

/** What every command stands on. */
export interface CliContext {
  /** Reads the settings, with the folder of `--data-dir` in place of OUTDIAL_DATA_DIR. @throws ConfigError */
  settings(dataDir?: string): Config;
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
  /** What the command was asked for. */
  tell(lines: readonly string[]): void;
  /** With `--json`: the one object on standard output. */
  json(value: unknown): void;
}

/** What a definition would fail over as things are. */
export function warningLines({ colours }: Voice, warnings: readonly string[]): string[] {
  return warnings.map((warning) => colours.yellow(`warning: ${warning}`));
}

/**
 * With `--json` everything but the object goes to standard error, so that standard output is for a program.
 */
export function voiceOf(context: CliContext, config: Config, options: { json?: boolean | undefined }): Voice {
  const stream = options.json ? context.stderr : context.stdout;
  const { noColor, dumb } = config.terminal;
  const screen = openScreen(stream, { live: !dumb });
  return {
    screen,
    colours: coloursOf(stream.isTTY === true && !noColor && !dumb),
    tell: (lines) => {
      for (const line of lines) screen.say(line);
    },
    json: (value) => {
      if (options.json) context.stdout.write(`${JSON.stringify(value)}\n`);
    },
  };
}
