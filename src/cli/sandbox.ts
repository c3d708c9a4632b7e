import { Option } from "commander";
import fs from "node:fs";
import path from "node:path";

import type { CliCommand } from "./cli-command.ts";
import type { Config } from "../config.ts";
import type { SandboxOptions } from "../sandbox/options.ts";
import type { CliContext, Voice } from "./context.ts";
import { reasonWords } from "../domain/ground/reason-words.ts";
import { CliError } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import { until, watchInterrupts } from "./interrupts.ts";
import {
  basePathOption,
  dialectOption,
  sandboxManner,
  seedOption,
  speedOption,
  wholeNumber,
} from "./options.ts";

interface SandboxCommandOptions {
  port: number;
  host: string;
  seed?: number;
  speed?: number;
  basePath?: string;
  dialect?: Config["sandbox"]["dialect"];
  apiKey?: string;
  apiKeyFile?: string;
  data?: string;
  scenario?: string;
  webhookSecretFile?: string;
  rooms?: "none" | "simulated";
  livekitUrl?: string;
  livekitKeyFile?: string;
  livekitServer?: string | true;
}

const HELP = `
The platform's whole interface for calls on this machine, with a simulator behind it: what happens on a call
follows from the seed, the number, and how often it was called. Nothing is kept when it ends, unless --data
names a file for it. Its address in a browser lists what it serves; /openapi.json describes it.

Examples:
  outdial sandbox --port 8490
  outdial sandbox --port 8490 --seed 7 --speed 60 --api-key my-key
  outdial sandbox --port 8490 --dialect published
  outdial sandbox --data sandbox.json --scenario examples/scenarios/lost-answers.yaml
  outdial sandbox --livekit-server
  outdial sandbox --livekit-url ws://127.0.0.1:7880 --livekit-key-file livekit.yaml`;

export function registerSandbox(program: CliCommand, context: CliContext): void {
  program
    .command("sandbox")
    .here()
    .description("Runs a stand-in for the platform until Ctrl-C.")
    .option("--port <n>", "port to listen on; 0 takes any free one", wholeNumber(0, 65_535), 8490)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .addOption(seedOption())
    .addOption(speedOption())
    .addOption(basePathOption())
    .addOption(dialectOption())
    .option("--api-key <key>", "the key that clients have to show")
    .addOption(
      new Option(
        "--api-key-file <file>",
        "file that holds that key, kept out of the list of processes",
      ).conflicts("apiKey"),
    )
    .option("--data <file>", "keep its state in this file, and go on from there the next time")
    .option("--scenario <file>", "trouble to make, as YAML or JSON; see examples/scenarios")
    .option("--webhook-secret-file <file>", "sign webhooks with the secret (whsec_...) in this file")
    .addOption(
      new Option(
        "--rooms <kind>",
        "where web calls and chats over livekit take place: none refuses them, simulated makes up what happens",
      ).choices(["none", "simulated"]),
    )
    .addOption(
      new Option(
        "--livekit-url <url>",
        "a LiveKit server that has the rooms, such as ws://127.0.0.1:7880",
      ).conflicts(["rooms", "livekitServer"]),
    )
    .option(
      "--livekit-key-file <file>",
      "file with the key and secret of that server, as one line `key: secret`, instead of LIVEKIT_API_KEY and LIVEKIT_API_SECRET",
    )
    .addOption(
      new Option(
        "--livekit-server [file]",
        "start LiveKit's server on this machine for the rooms: this executable, or the one on PATH, or one that is built with Go, once",
      ).conflicts(["rooms", "livekitUrl"]),
    )
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, options: SandboxCommandOptions) => {
      const { port, host, seed, speed, apiKeyFile, data, scenario, webhookSecretFile } = options;
      const apiKey = apiKeyFile === undefined ? options.apiKey : secretIn(apiKeyFile);
      const running = context.ports.runSandbox({
        port,
        host,
        ...sandboxManner(config, options),
        ...(seed !== undefined && { seed }),
        ...(speed !== undefined && { speed }),
        ...(apiKey !== undefined && { apiKeys: [apiKey] }),
        ...(data !== undefined && { data, onDataTrouble: tellDataTrouble(context, data) }),
        ...(scenario !== undefined && { scenario }),
        ...roomsAsked(config, options, voice),
        ...(webhookSecretFile !== undefined && { webhooks: { secret: secretIn(webhookSecretFile) } }),
      });
      const sandbox = await running.catch((error: unknown) => {
        throw isPortTaken(error) ? portTaken(error) : error;
      });
      const { seeds } = sandbox;
      // What came in a file stays there: this text ends in logs.
      const [shownKey, setting] =
        apiKeyFile === undefined
          ? [sandbox.apiKey, `PLATFORM_API_KEY=${sandbox.apiKey}`]
          : [`as in ${apiKeyFile}`, `PLATFORM_API_KEY_FILE=${apiKeyFile}`];
      voice.tell([
        `sandbox at ${sandbox.url} (seed ${seed ?? 1}, speed ${speed ?? 1}); Ctrl-C ends it`,
        ...seeds.agents.map(({ id, published }) => `  agent   ${id} (${published ? "published" : "draft"})`),
        ...seeds.numbers.map((number) => `  number  ${number}`),
        `  key     ${shownKey}`,
        "",
        `For Outdial: PLATFORM_BASE_URL=${sandbox.url} ${setting}${speed === undefined || speed <= 1 ? "" : ` OUTDIAL_SPEED=${speed}`}`,
      ]);
      const interrupts = watchInterrupts(() => {});
      await until(interrupts.signal);
      interrupts.end();
      await sandbox.close();
    });
}

/** Where the rooms are; nothing asked for is none. */
function roomsAsked(
  config: Config,
  options: SandboxCommandOptions,
  voice: Voice,
): Pick<SandboxOptions, "rooms"> {
  const { rooms, livekitUrl: url, livekitKeyFile, livekitServer } = options;
  if (url !== undefined) {
    const trusted = livekitKeyFile === undefined ? config.sandbox.livekit : keyPairIn(livekitKeyFile);
    if (trusted) return { rooms: { url, ...trusted } };
    throw new CliError(
      "--livekit-url needs what that server trusts: --livekit-key-file, or LIVEKIT_API_KEY and LIVEKIT_API_SECRET in the environment",
      EXIT.badInput,
    );
  }
  if (livekitServer === undefined) return rooms === undefined ? {} : { rooms };
  if (livekitServer !== true) return { rooms: { server: livekitServer } };
  const search = {
    searchPath: config.temporal.searchPath,
    cacheDir: path.join(config.cacheDir, "livekit"),
    onProgress: (message: string) => voice.tell([message]),
  };
  return { rooms: { server: search } };
}

/** As LiveKit's server reads its own key file. */
function keyPairIn(file: string): { readonly apiKey: string; readonly apiSecret: string } {
  const [, apiKey, apiSecret] = /^\s*([^\s:#]+):\s*(\S+)\s*$/.exec(secretIn(file)) ?? [];
  if (apiKey === undefined || apiSecret === undefined) {
    throw new CliError(
      `${file}: should hold one line with a key and its secret, \`key: secret\``,
      EXIT.badInput,
    );
  }
  return { apiKey, apiSecret };
}

function isPortTaken(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}

/** No setting chooses the sandbox's port. */
function portTaken(error: Error): CliError {
  return new CliError(
    `the port${"port" in error ? ` ${String(error.port)}` : ""} is taken by another program: end the program that has it, or choose another with --port`,
    EXIT.failed,
    { cause: error },
  );
}

/** What the sandbox answers is lost with it from then on, and nobody would know. */
function tellDataTrouble({ stderr }: CliContext, file: string): (error: unknown) => void {
  return (error) =>
    stderr.write(
      error === null
        ? `${file} is written again\n`
        : `${file} can't be written (${reasonWords(error)}): what happens until it can is lost when the sandbox ends\n`,
    );
}

function secretIn(file: string): string {
  const secret = fs.readFileSync(file, "utf8").trim();
  if (secret === "") throw new CliError(`${file} is empty: it should hold the secret`, EXIT.badInput);
  return secret;
}
