import { reasonWords } from "../../domain/ground/reason-words.ts";
import type { Config } from "../../config.ts";
import type { CliPorts } from "../context.ts";
import { withDeployment } from "../deploy/deployment-at-hand.ts";
import { saidAndRemedy } from "../said.ts";
import { fail, ok, warn, type Check } from "./check.ts";

/** Whether this build of the workers is given anything, where Temporal tells builds apart. */
export async function checkBuilds(config: Config, ports: Pick<CliPorts, "openLedger">): Promise<Check[]> {
  if (!config.isVersioned) return checkNotVersioned(config, ports);
  const { readDeployment } = await import("../../temporal/deployment.ts");
  try {
    return await withDeployment(ports, config, async ({ client, own }) => {
      const standing = await readDeployment(client, own.deploymentName);
      if (standing?.current === own.buildId) return [ok("builds", `this one, ${own.buildId}, is current`)];
      if (standing?.current !== undefined) {
        const words = `${standing.current} is current, and this one, ${own.buildId}, is given nothing new`;
        return [warn("builds", words, "once its workers run: `outdial deploy current`")];
      }
      return [
        fail(
          "builds",
          "none is current, so that versioned workers are given nothing",
          "start a worker, and run `outdial deploy current`",
        ),
      ];
    });
  } catch (error) {
    const { problem, remedy } = saidAndRemedy(reasonWords(error));
    return [
      fail(
        "builds",
        problem,
        remedy ?? "unset OUTDIAL_WORKER_VERSIONING where the Temporal server is older than 1.29",
      ),
    ];
  }
}

/** Temporal goes on telling builds apart after the setting is gone, until it is told not to. */
async function checkNotVersioned(config: Config, ports: Pick<CliPorts, "openLedger">): Promise<Check[]> {
  if (config.temporal.address === undefined || config.databaseUrl === undefined) return [];
  const { readDeployment } = await import("../../temporal/deployment.ts");
  try {
    return await withDeployment(ports, config, async ({ client, own }) => {
      const current = (await readDeployment(client, own.deploymentName))?.current;
      return current === undefined ? [] : [notGiven(current)];
    });
  } catch {
    // A server that does not know of builds tells none apart; one that does not answer is told of by itself.
    return [];
  }
}

function notGiven(current: string): Check {
  return fail(
    "builds",
    `${current} is current, and workers without OUTDIAL_WORKER_VERSIONING are given nothing`,
    "set OUTDIAL_WORKER_VERSIONING=true, or, to turn it off, run `outdial deploy current --none`",
  );
}
