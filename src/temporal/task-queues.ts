/**
 * The task queues of one installation. They carry its mark, so that two ledgers which share a Temporal
 * namespace never take each other's work.
 */
export interface TaskQueues {
  /** Workflows, and the activities that answer quickly. */
  engine: string;
  /** Followers last as long as a campaign does: a queue of their own, so that they never starve planning. */
  follow: string;
  /** What waits for other systems, webhooks and automations above all: they may be slow, planning may not. */
  act: string;
}

const ENGINE = "-engine";
const FOLLOW = "-follow";
const ACT = "-act";

export function taskQueuesOf(installationId: string): TaskQueues {
  const name = `outdial-${installationId.slice(0, 8)}`;
  return { engine: `${name}${ENGINE}`, follow: `${name}${FOLLOW}`, act: `${name}${ACT}` };
}

/** For workflows, which know the queue that they run on. */
export function followQueueBeside(engineQueue: string): string {
  return beside(engineQueue, FOLLOW);
}

export function actQueueBeside(engineQueue: string): string {
  return beside(engineQueue, ACT);
}

function beside(engineQueue: string, ending: string): string {
  return engineQueue.endsWith(ENGINE) ? `${engineQueue.slice(0, -ENGINE.length)}${ending}` : engineQueue;
}
