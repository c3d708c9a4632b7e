import { HOOK_TOKEN } from "./journeys.ts";
import { ANSWER_WITHIN_MS, type Answer } from "./sender.ts";
import type { Stage } from "./stage.ts";

export interface Hooks {
  readonly answers: Answer[];
  /** Ids of calls whose events were taken. */
  readonly taken: Set<string>;
  /** Tells of a call that was dialed, or of one that is nobody's. */
  sendOne(): Promise<void>;
}

/** Call events as a platform sends them: once, whatever comes of it. */
export function createHooks(stage: Stage, url: string, random: () => number): Hooks {
  const answers: Answer[] = [];
  const taken = new Set<string>();
  return {
    answers,
    taken,
    async sendOne() {
      const { dialLog } = stage.sandbox;
      const [dialed] = dialLog.entries(Math.floor(random() * dialLog.length), 1);
      const callId = random() < 0.9 ? dialed?.call_id : FOREIGN_CALL;
      if (callId === undefined) return;
      const startedMs = Date.now();
      const base = { key: callId, startedMs, deliveryId: undefined };
      try {
        const response = await fetch(`${url}/v1/hooks/platform/${HOOK_TOKEN}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ event: "call.ended", data: { call: { call_id: callId } } }),
          signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        });
        await response.body?.cancel();
        const retryAfter = response.headers.get("retry-after") ?? undefined;
        answers.push({ ...base, endedMs: Date.now(), status: response.status, retryAfter });
        if (response.status === 202) taken.add(callId);
      } catch {
        answers.push({ ...base, endedMs: Date.now(), status: 0, retryAfter: undefined });
      }
    },
  };
}

/** A call of somebody else. */
export const FOREIGN_CALL = "99999999-9999-4999-8999-999999999999";
