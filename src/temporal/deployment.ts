import type { Client } from "@temporalio/client";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { temporalWords } from "./words.ts";

/*
 * Worker Versioning: builds of Outdial beside each other on one Temporal server.
 *
 * 1. Each build has an id, and the workers of an installation are one deployment. Temporal hands what begins to the
 *    build that is current, and nothing to one that never was.
 * 2. A batch ends on the build on which it began (`PINNED`, src/workflows/batch.ts): it is short, and its calls are up.
 * 3. All else sleeps for hours and months, and goes on under the build that is current (`AUTO_UPGRADE`). That its code
 *    replays what earlier builds did is held by test/replay, with or without versioning.
 */

/** A build, as Temporal knows it. */
export interface WorkerVersion {
  deploymentName: string;
  buildId: string;
}

/** The deployment does not exist, or the build does not poll, or the server does not know of either. */
class DeploymentError extends Error {
  override readonly name = "DeploymentError";
}

/** One deployment an installation, as its task queues. */
export function deploymentNameOf(installationId: string): string {
  return `outdial-${installationId.slice(0, 8)}`;
}

/** The workflows as the build made them; undefined: this runs from the sources. */
export function builtBundle(): string | undefined {
  const bundle = fileURLToPath(new URL("../workflow-bundle.js", import.meta.url));
  return fs.existsSync(bundle) ? bundle : undefined;
}

/** What this program's workers are to Temporal where builds are told apart. */
export function ownVersion(programVersion: string, installationId: string): WorkerVersion {
  return {
    deploymentName: deploymentNameOf(installationId),
    buildId: buildIdOf(programVersion, builtBundle()),
  };
}

/** The program's version, and what its workflows are: the same sources make the same id everywhere. */
function buildIdOf(version: string, bundlePath: string | undefined): string {
  if (bundlePath === undefined) return `${version}-sources`;
  const digest = createHash("sha256").update(fs.readFileSync(bundlePath)).digest("hex");
  return `${version}-${digest.slice(0, DIGEST_CHARACTERS)}`;
}

const DIGEST_CHARACTERS = 12;

export interface DeploymentStanding {
  /** Undefined: none yet, so that no build is given anything. */
  current: string | undefined;
  ramping: { buildId: string; percent: number } | undefined;
  builds: readonly BuildStanding[];
}

export interface BuildStanding {
  buildId: string;
  /** `drained`: no workflow is bound to it any more. Temporal finds that out some minutes late. */
  state: "current" | "ramping" | "draining" | "drained" | "inactive";
}

/** As temporal.api.enums.v1.WorkerDeploymentVersionStatus numbers them. */
const STATES: Readonly<Record<number, BuildStanding["state"]>> = {
  2: "current",
  3: "ramping",
  4: "draining",
  5: "drained",
};

const NOT_FOUND = 5;

/** Undefined: no versioned worker of the installation ever polled. */
export async function readDeployment(
  client: Client,
  deploymentName: string,
): Promise<DeploymentStanding | undefined> {
  const namespace = client.options.namespace;
  const answer = await client.workflowService
    .describeWorkerDeployment({ namespace, deploymentName })
    .catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw refusedBy(error, "can't be read");
    });
  const info = answer?.workerDeploymentInfo;
  if (!info) return undefined;
  const { currentDeploymentVersion, rampingDeploymentVersion, rampingVersionPercentage } =
    info.routingConfig ?? {};
  return {
    current: currentDeploymentVersion?.buildId || undefined,
    ramping: rampingDeploymentVersion?.buildId
      ? { buildId: rampingDeploymentVersion.buildId, percent: rampingVersionPercentage ?? 0 }
      : undefined,
    builds: (info.versionSummaries ?? []).map(({ deploymentVersion, status }) => ({
      buildId: deploymentVersion?.buildId ?? "",
      state: STATES[status ?? 0] ?? "inactive",
    })),
  };
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === NOT_FOUND;
}

function refusedBy(error: unknown, what: string): DeploymentError {
  const details = error instanceof Error && "details" in error ? `: ${String(error.details)}` : "";
  return new DeploymentError(
    `the deployment of this installation's workers ${what} (${temporalWords(error)}${details}): see \`outdial deploy status\``,
    { cause: error },
  );
}

/** A build that was just started polls within seconds; its image may have to be pulled first. */
const LOOK_EVERY_MS = 500;

/**
 * Gives all that begins, and all that sleeps, to a build. It has to poll: that is waited for.
 *
 * @param input.withinMs how long for
 * @throws DeploymentError
 */
export async function makeCurrent(
  client: Client,
  input: WorkerVersion & { withinMs: number },
): Promise<void> {
  const { deploymentName, buildId } = input;
  await whenItPolls(input, () =>
    client.workflowService.setWorkerDeploymentCurrentVersion({
      namespace: client.options.namespace,
      deploymentName,
      buildId,
    }),
  );
}

/**
 * Gives all that begins, and all that sleeps, to workers that are not told apart: for turning versioning off.
 *
 * @throws DeploymentError
 */
export async function makeNoneCurrent(client: Client, deploymentName: string): Promise<void> {
  await client.workflowService
    .setWorkerDeploymentCurrentVersion({
      namespace: client.options.namespace,
      deploymentName,
      buildId: "",
    })
    .catch((error: unknown) => {
      throw refusedBy(error, "keeps its current build");
    });
}

/** Gives a build a part of what begins and of what sleeps. @throws DeploymentError */
export async function makeRamping(
  client: Client,
  input: WorkerVersion & { percent: number; withinMs: number },
): Promise<void> {
  const { deploymentName, buildId, percent } = input;
  await whenItPolls(input, () =>
    client.workflowService.setWorkerDeploymentRampingVersion({
      namespace: client.options.namespace,
      deploymentName,
      // None at all ends a ramp.
      buildId: percent === 0 ? "" : buildId,
      percentage: percent,
    }),
  );
}

async function whenItPolls(
  { buildId, withinMs }: WorkerVersion & { withinMs: number },
  ask: () => Promise<unknown>,
): Promise<void> {
  const untilMs = performance.now() + withinMs;
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (performance.now() >= untilMs) throw refusedBy(error, `does not take the build ${buildId}`);
    }
    await pause(LOOK_EVERY_MS);
  }
}

/** As temporal.api.enums.v1.VersioningBehavior numbers it: AUTO_UPGRADE. */
const GOES_ON_ANYWHERE = 2;

/**
 * Lets go what is bound to a build whose workers are gone: it goes on under the build that is current. For a build that
 * can't be run any more; one that can is left to end what it has.
 *
 * @returns how many workflows were let go.
 * @throws DeploymentError where the build is current, since all it has would be given back to it.
 */
export async function retire(client: Client, { deploymentName, buildId }: WorkerVersion): Promise<number> {
  const standing = await readDeployment(client, deploymentName);
  if (standing?.current === undefined || standing.current === buildId) {
    throw new DeploymentError(
      `the build ${buildId} can't be retired while ${standing?.current === undefined ? "no build is current" : "it is the current one"}: make another current first, with \`outdial deploy current\``,
    );
  }
  let released = 0;
  const query = `TemporalWorkerDeploymentVersion = '${deploymentName}:${buildId}' AND TemporalWorkflowVersioningBehavior = 'Pinned' AND ExecutionStatus = 'Running'`;
  for await (const { workflowId } of client.workflow.list({ query })) {
    try {
      await client.workflowService.updateWorkflowExecutionOptions({
        namespace: client.options.namespace,
        workflowExecution: { workflowId },
        workflowExecutionOptions: { versioningOverride: { autoUpgrade: true, behavior: GOES_ON_ANYWHERE } },
        updateMask: { paths: ["versioning_override"] },
      });
      released += 1;
    } catch (error) {
      // It has ended meanwhile.
      if (!isNotFound(error)) throw refusedBy(error, `does not let ${workflowId} go`);
    }
  }
  return released;
}
