import { PassThrough, Readable, Writable } from "node:stream";
import { onTestFinished } from "vitest";

import { runProgram, type ProgramContext } from "../../src/cli/program.ts";
import { readConfig } from "../../src/config.ts";
import { createPlatform, type Platform } from "../../src/platform/index.ts";
import type { SandboxOptions } from "../../src/sandbox/options.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";

/** How a command line ended. */
export interface LineEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: Buffer;
}

export interface LineInput {
  /** What stands on standard input. */
  readonly stdin?: string;
  /** What a person answers to the questions, one by one, on a terminal. */
  readonly answers?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** What the command sees of the platform, where it is not all. */
  readonly seen?: (platform: Platform) => Platform;
}

/** Runs command lines against a platform at a real socket. */
export type Line = (args: readonly string[], input?: LineInput) => Promise<LineEnd>;

/** A sandbox and command lines whose settings name it. */
export async function openLine(options: SandboxOptions = {}): Promise<{ sandbox: Sandbox; outdial: Line }> {
  const sandbox = await createSandbox({ speed: 1_000, rooms: "simulated", ...options });
  onTestFinished(() => sandbox.close());
  return { sandbox, outdial: lineTo(sandbox.url, sandbox.apiKey) };
}

export function lineTo(baseUrl: string, apiKey: string): Line {
  return async (args, input = {}) => {
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    const environment = {
      OUTDIAL_DATA_DIR: "/nowhere/at/all",
      PLATFORM_BASE_URL: baseUrl,
      PLATFORM_API_KEY: apiKey,
      ...input.environment,
    };
    const absent = async () => {
      throw new Error("not there in this test");
    };
    const context: ProgramContext = {
      openSettings: async () => (dataDir) => readConfig(environment, { dataDir }),
      ports: {
        openLedger: absent,
        startSystem: absent,
        runSandbox: absent,
        lookAtProvider: absent,
        lookForMissing: absent,
        provideTemporalServer: absent,
        openPlatform: async ({ platform }, _log, more = {}) => {
          const { baseUrl: url = "", apiKey: key = "" } = platform;
          const { seen = (real: Platform) => real } = input;
          return seen(createPlatform({ baseUrl: url, apiKey: key, ...more }));
        },
      },
      stdin: stdinOf(input),
      stdout: collect(stdout),
      stderr: collect(stderr),
    };
    const code = await runProgram(context, args, async () => true);
    const bytes = Buffer.concat(stdout);
    return { code, bytes, stdout: bytes.toString("utf8"), stderr: Buffer.concat(stderr).toString("utf8") };
  };
}

function stdinOf({ stdin = "", answers }: LineInput): Readable & { readonly isTTY?: boolean } {
  if (answers === undefined) return Readable.from([Buffer.from(stdin)]);
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  for (const answer of answers) terminal.write(`${answer}\n`);
  return terminal;
}

function collect(chunks: Buffer[]): Writable {
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
}
