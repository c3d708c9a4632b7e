import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import type { CliCommand, Doing } from "./cli-command.ts";
import type { Config } from "../config.ts";
import { isOver } from "../domain/campaigns/campaign-state.ts";
import type { Ledger } from "../ledger/ground/connection.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { findList } from "./contact-list.ts";
import type { CliContext, Voice } from "./context.ts";
import { tellDashboard } from "./dashboard-link.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { InterruptedError, until, watchInterrupts, type Interrupts } from "./interrupts.ts";
import { leftBehind } from "./campaigns/run/left-behind.ts";
import { sandboxManner } from "./options.ts";
import { keepReport } from "./campaigns/run/report-files.ts";
import { driveOn, exitCodeOf, sandboxSettings } from "./campaigns/run/run.ts";
import { shellText } from "./hints.ts";
import { openSession, type Session } from "./campaigns/run/session.ts";
import { readSpecFile } from "./campaigns/run/spec-file.ts";
import { countText } from "./view/words.ts";
import { compareWithWitness, witnessLines } from "./view/witness.ts";
import { pathLines, reportLines } from "./view/report.ts";

/** Beside `src` and beside the build. */
const EXAMPLES = fileURLToPath(new URL("../../examples/", import.meta.url));

/** Calls of half a minute take half a second, so that some nine hundred of them fit into one. */
const SPEED = 60;
const SEED = 7;

const HELP = `
Needs nothing: a contact list, a sandbox in the platform's place (nobody's phone rings), a Temporal server that
is fetched if there is none, and the embedded ledger in a folder of its own (OUTDIAL_DATA_DIR, if set).
It ends by itself in about a minute, and checks itself: what the ledger says was dialed is held against what
the sandbox saw.

Examples:
  outdial demo
  outdial demo --keep     leaves everything up until Ctrl-C, to look around`;

export function registerDemo(program: CliCommand, context: CliContext): void {
  program
    .command("demo")
    .here()
    .description("Runs a campaign of 500 contacts on this machine alone, from its list to its report.")
    .option("--keep", "leave everything up until Ctrl-C")
    .addHelpText("after", HELP)
    .does((doing, options: { keep?: true }) => demo(context, doing, options.keep === true));
}

async function demo(context: CliContext, { config: given, voice }: Doing, keep: boolean): Promise<ExitCode> {
  const settings = given.dataDirGiven
    ? given
    : context.settings(fs.mkdtempSync(path.join(os.tmpdir(), "outdial-demo-")));
  const interrupts = watchInterrupts(() => {
    voice.screen.clear();
    const left = leftBehind(settings.dataDir);
    if (left !== undefined) voice.screen.say(left);
  });
  const sandbox = await context.ports.runSandbox({ ...sandboxManner(settings), speed: SPEED, seed: SEED });
  voice.tell([
    `${voice.colours.bold("Outdial demo")}: a campaign from a contact list to its report, on this machine alone.`,
    "Calls are made by a sandbox: no phone rings, and the numbers are invented.",
    `Everything it keeps is in ${settings.dataDir}`,
  ]);
  // Its own ledger, whatever else is set: nothing of a demonstration belongs into a real one.
  const own = {
    ...settings,
    databaseUrl: undefined,
    api: { ...settings.api, url: undefined, port: undefined },
  };
  const config = sandboxSettings(own, sandbox, SPEED);
  let session: Session | undefined;
  try {
    session = await openSession(context, {
      config,
      worker: true,
      mustBeOurs: true,
      say: (message) => voice.screen.say(message),
      signal: interrupts.signal,
    });
    await tellDashboard(context, voice, { config, api: session.api });
    const code = await runDemo(session, sandbox, { config, voice, interrupts });
    if (keep && code !== EXIT.interrupted) await keepUp(session, sandbox, voice, interrupts);
    return code;
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    voice.screen.say("interrupted");
    return EXIT.interrupted;
  } finally {
    await session?.close();
    await sandbox.close();
    interrupts.end();
  }
}

interface DemoInput {
  config: Config;
  voice: Voice;
  interrupts: Interrupts;
}

async function runDemo(
  session: Session,
  sandbox: Sandbox,
  { config, voice, interrupts }: DemoInput,
): Promise<ExitCode> {
  const spec = readSpecFile(path.join(EXAMPLES, "demo.yaml"));
  const doNotCall = await session.api.suppressions.import({
    readable: fs.createReadStream(path.join(EXAMPLES, "demo-do-not-call.csv")),
    sourceName: "demo-do-not-call.csv",
  });
  voice.tell([`demo-do-not-call.csv: ${countText(doNotCall.rows.read, "number")} that must not be dialed`]);
  const existing = await session.api.campaigns.find(spec.name, spec.brand);
  if (existing && !isOver(existing.state)) {
    voice.tell([
      "the sandbox of the last run is gone, and its calls with it: those that were up end as unknown",
    ]);
  }
  const end = await driveOn(
    session,
    { voice, signal: interrupts.signal, dataDir: config.dataDir },
    {
      spec,
      list: await findList(path.join(EXAMPLES, "demo-contacts.csv")),
      reading: { map: {}, defaultRegion: spec.default_region },
      amend: false,
      isNew: existing !== undefined && isOver(existing.state),
      partial: false,
    },
  );
  const report = await session.api.campaigns.report(end.campaignId);
  if (end.kind !== "over") {
    voice.tell([`the demo ends with its campaign ${report.state}`]);
    return end.kind === "interrupted" ? EXIT.interrupted : EXIT.notFinished;
  }
  const paths = await keepReport(session.api, report, config.dataDir);
  const check = compareWithWitness(dialsByNumber(sandbox), await attemptsByNumber(session, end.campaignId));
  voice.tell([
    "",
    ...reportLines(report, voice.colours),
    "",
    ...witnessLines(check, report, voice.colours),
    "",
    ...pathLines(paths),
    "",
    `Look at the run in Temporal's web UI: npx outdial ui --data-dir ${shellText(config.dataDir)}`,
  ]);
  const code = exitCodeOf(report);
  return code === EXIT.ok && check.tooOften.length > 0 ? EXIT.failed : code;
}

function dialsByNumber({ dialLog }: Sandbox): Map<string, number> {
  const dials = new Map<string, number>();
  for (const { phone } of dialLog.entries()) dials.set(phone, (dials.get(phone) ?? 0) + 1);
  return dials;
}

async function attemptsByNumber({ system }: Session, campaignId: string): Promise<Map<string, number>> {
  const attempts = new Map<string, number>();
  const ledger: Ledger | undefined = system?.ledger;
  if (!ledger) throw new Error("the demo runs its own system");
  const { streamResults } = await import("../ledger/campaigns/reports.ts");
  for await (const page of streamResults(ledger.db, campaignId)) {
    for (const row of page) attempts.set(row.phone, row.attempts);
  }
  return attempts;
}

async function keepUp(
  { api, system }: Session,
  sandbox: Sandbox,
  voice: Voice,
  interrupts: Interrupts,
): Promise<void> {
  const ui = system?.temporalUiUrl;
  voice.tell([
    "",
    "Everything stays up until Ctrl-C:",
    ...(ui === undefined ? [] : [`  Temporal's web UI  ${ui}`]),
    `  HTTP API           ${api.address.url} (its token is in the data folder's ledger.lock)`,
    `  sandbox            ${sandbox.url} (key ${sandbox.apiKey})`,
  ]);
  const left = until(interrupts.signal);
  await (system ? Promise.race([left, system.failed]) : left);
  voice.tell(["closing"]);
}
