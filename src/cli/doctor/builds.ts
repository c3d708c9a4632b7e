import { reasonWords } from "../../domain/ground/reason-words.ts";
import type { Config } from "../../config.ts";
import type { CliPorts } from "../context.ts";
import { withDeployment } from "../deploy/deployment-at-hand.ts";
import { saidAndRemedy } from "../said.ts";
import { fail, ok, warn, type Check } from "./check.ts";

/** Where builds of the workers are told apart: whether this one is given anything. */
export async function checkBuilds(config: Config, ports: CliPorts): Promise<Check[]> {
  if (!config.isVersioned) return [];
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
