import { Argument, Option } from "commander";

import type { CliCommand } from "../cli-command.ts";
import type { CliContext } from "../context.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption } from "../options.ts";
import { withDeployment } from "./deployment-at-hand.ts";

const BUILD = "the build, as `outdial deploy status` names it; by default that of this program";

const CURRENT_HELP = `
What begins, and what sleeps, is given to that build from then on; batches end on the build on which they began. The
build has to run: that is waited for. The way back is the same command with the build before.

With --none no build is, and workers without OUTDIAL_WORKER_VERSIONING are given everything: for turning it off. Batches
of before end on their build all the same: keep its workers until \`outdial deploy status\` shows it as drained.`;

const RETIRE_HELP = `
A build whose workers run is left to end what it has, which \`outdial deploy status\` shows as drained. This is for one
that can't be run any more: its batches go on under the current build.`;

/** A new image may have to be pulled on every machine first. */
const WAITED_S = 300;

export function registerDeploy(parent: CliCommand, context: CliContext): void {
  const waiting = () =>
    new Option("--within <seconds>", "how long its workers are waited for")
      .argParser(seconds)
      .default(WAITED_S);
  parent
    .command("status")
    .description("Shows which builds there are, and which is given what begins.")
    .here()
    .addOption(jsonOption())
    .does(async ({ config, voice }) => {
      const { readDeployment } = await import("../../temporal/deployment.ts");
      const { standing, own } = await withDeployment(context.ports, config, async (at) => ({
        own: at.own,
        standing: await readDeployment(at.client, at.own.deploymentName),
      }));
      voice.json({ deployment: own.deploymentName, own_build: own.buildId, ...standing });
      voice.present([
        `deployment ${own.deploymentName}; this program is the build ${own.buildId}`,
        ...(standing === undefined
          ? ["no versioned worker ever ran: set OUTDIAL_WORKER_VERSIONING=true and start one"]
          : standing.builds.map(({ buildId, state }) =>
              state === "ramping"
                ? `${buildId}: ramping at ${standing.ramping?.percent ?? 0} %`
                : `${buildId}: ${state}`,
            )),
        ...(standing !== undefined && standing.current === undefined
          ? [
              "no build is current: workers that are not told apart are given everything, and versioned ones nothing before `outdial deploy current`",
            ]
          : []),
      ]);
    });
  parent
    .command("current")
    .description("Makes a build current, once its workers run.")
    .here()
    .addArgument(buildArgument())
    .option("--none", "none is current: workers that are not told apart are given everything")
    .addOption(waiting())
    .addOption(jsonOption())
    .addHelpText("after", CURRENT_HELP)
    .does(async ({ config, voice }, build: string | undefined, { within, none }: CurrentOptions) => {
      const { makeCurrent, makeNoneCurrent } = await import("../../temporal/deployment.ts");
      if (none === true && build !== undefined)
        throw new CliError("name a build, or give --none, not both", EXIT.badInput);
      await withDeployment(context.ports, config, async ({ client, own }) => {
        if (none === true) {
          await makeNoneCurrent(client, own.deploymentName);
          voice.present(["no build is current: workers that are not told apart are given everything"]);
          voice.json({ deployment: own.deploymentName, current: null });
          return;
        }
        const buildId = build ?? own.buildId;
        await makeCurrent(client, { ...own, buildId, withinMs: within * 1_000 });
        voice.present([`${buildId} is current`]);
        voice.json({ deployment: own.deploymentName, current: buildId });
      });
    });
  parent
    .command("ramp")
    .description("Gives a build a part of what begins and of what sleeps; 0 ends that.")
    .addArgument(new Argument("<percent>", "0 to 100").argParser(percentage))
    .here()
    .addArgument(buildArgument())
    .addOption(waiting())
    .addOption(jsonOption())
    .does(
      async (
        { config, voice },
        percent: number,
        build: string | undefined,
        { within }: { within: number },
      ) => {
        const { makeRamping } = await import("../../temporal/deployment.ts");
        await withDeployment(context.ports, config, async ({ client, own }) => {
          const buildId = build ?? own.buildId;
          await makeRamping(client, { ...own, buildId, percent, withinMs: within * 1_000 });
          voice.present([percent === 0 ? "no build is ramping" : `${buildId} is ramping at ${percent} %`]);
          voice.json({ deployment: own.deploymentName, ramping: buildId, percent });
        });
      },
    );
  parent
    .command("retire")
    .description("Lets go what is bound to a build whose workers are gone.")
    .here()
    .addArgument(
      new Argument("<build>", "the build, as `outdial deploy status` names it").argParser(buildName),
    )
    .addOption(jsonOption())
    .addHelpText("after", RETIRE_HELP)
    .does(async ({ config, voice }, buildId: string) => {
      const { retire } = await import("../../temporal/deployment.ts");
      await withDeployment(context.ports, config, async ({ client, own }) => {
        const released = await retire(client, { ...own, buildId });
        voice.present([`${released} workflows go on under the current build`]);
        voice.json({ deployment: own.deploymentName, retired: buildId, released });
      });
    });
}

interface CurrentOptions {
  within: number;
  none?: true;
}

const buildArgument = () => new Argument("[build]", BUILD).argParser(buildName);

/** A shell's variable that is not set is no build: to Temporal, an empty one says that none is to be current. */
function buildName(text: string): string {
  if (text.trim() !== "") return text;
  throw new CliError(
    "the build is empty: name it as `outdial deploy status` does, or leave it out for that of this program",
    EXIT.badInput,
  );
}

function seconds(text: string): number {
  return inRange(text, "--within", 3_600);
}

function percentage(text: string): number {
  return inRange(text, "the percentage", 100);
}

function inRange(text: string, what: string, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= most) return value;
  throw new CliError(`${what} is "${text}": it must be a whole number from 0 to ${most}`, EXIT.badInput);
}
