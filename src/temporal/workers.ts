import { Worker, type NativeConnection, type WorkerOptions } from "@temporalio/worker";

import type { ActActivities, Activities, FollowActivities } from "../activities/index.ts";
import type { WorkerVersion } from "./deployment.ts";
import type { TaskQueues } from "./task-queues.ts";

export interface WorkersInput {
  connection: NativeConnection;
  namespace: string;
  queues: TaskQueues;
  workflows: Pick<WorkerOptions, "workflowBundle" | "workflowsPath">;
  activities: Activities;
  followActivities: FollowActivities;
  actActivities: ActActivities;
  /** As which build they take work; absent: as any, whatever the build. */
  version?: WorkerVersion | undefined;
}

export interface Workers {
  /** Rejects when a worker died by itself. */
  readonly failed: Promise<never>;
  /** Takes no new work, ends what is under way, and resolves. Followers let go at once. */
  drain(): Promise<void>;
}

/** Campaigns whose followers one process carries, and engine activities at once. */
const MAX_FOLLOWERS = 1_000;
const MAX_ENGINE_ACTIVITIES = 40;

/** Other systems asked at once: each holds a connection and some kilobytes. */
const MAX_ACT_ACTIVITIES = 50;

/** Workflows kept in memory between their tasks: some kilobytes each. */
const CACHED_WORKFLOWS = 500;

/**
 * A workflow's next task waits so long for the process that has it in memory, and goes to any other then: after a kill
 * everything that is told to it is late by that. Histories are short, and quickly replayed.
 */
const STICKY_MS = 2_000;

/** Longer than any engine activity takes once its requests are answered; then it is somebody else's. */
export const DRAIN_BOUND_MS = 30_000;

/** Starts the workers of the engine's queue, of the followers' and of those that wait for other systems. */
export async function startWorkers(input: WorkersInput): Promise<Workers> {
  const { connection, namespace, queues } = input;
  const common = {
    connection,
    namespace,
    shutdownForceTime: DRAIN_BOUND_MS,
    ...(input.version && {
      workerDeploymentOptions: {
        version: input.version,
        useWorkerVersioning: true as const,
        // Batches say otherwise.
        defaultVersioningBehavior: "AUTO_UPGRADE" as const,
      },
    }),
  };
  const workers = [
    await Worker.create({
      ...common,
      ...input.workflows,
      taskQueue: queues.engine,
      activities: input.activities,
      maxConcurrentActivityTaskExecutions: MAX_ENGINE_ACTIVITIES,
      maxCachedWorkflows: CACHED_WORKFLOWS,
      stickyQueueScheduleToStartTimeout: STICKY_MS,
    }),
    await Worker.create({
      ...common,
      taskQueue: queues.follow,
      activities: input.followActivities,
      maxConcurrentActivityTaskExecutions: MAX_FOLLOWERS,
    }),
    await Worker.create({
      ...common,
      taskQueue: queues.act,
      activities: input.actActivities,
      maxConcurrentActivityTaskExecutions: MAX_ACT_ACTIVITIES,
    }),
  ];
  const ended = Promise.all(workers.map((worker) => worker.run()));
  const failed = new Promise<never>((_resolve, reject) => {
    ended.catch(reject);
  });
  failed.catch(() => {});
  return {
    failed,
    async drain() {
      for (const worker of workers) if (worker.getState() === "RUNNING") worker.shutdown();
      // One that died by itself was told of already, by `failed`.
      await ended.catch(() => {});
    },
  };
}
