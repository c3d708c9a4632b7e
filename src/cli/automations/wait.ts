import { setTimeout as sleep } from "node:timers/promises";

import type { AutomationDetailWire } from "../../http/wire/automations.ts";
import type { Api } from "../api/client.ts";
import type { Voice } from "../context.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";

const LOOK_MS = 500;

/** A generation, its refinements and a test run take minutes at most; what waits for longer goes on without us. */
const WAIT_MS = 10 * 60_000;

/** Tells each step as it is taken, until the automation is ready, failed or removed. */
export async function waitForAutomation(
  api: Api,
  voice: Voice,
  name: string,
): Promise<{ automation: AutomationDetailWire; code: ExitCode }> {
  const endMs = performance.now() + WAIT_MS;
  let told = 0;
  for (;;) {
    const automation = await api.automations.get(name);
    const { state, error } = automation;
    if (automation.steps.length < told) told = 0;
    voice.tell(automation.steps.slice(told).map((step) => `  ${step.step}: ${step.found}`));
    told = automation.steps.length;
    const isOver = state === "ready" || state === "failed";
    if (isOver || performance.now() > endMs) {
      const words = error === null ? "" : `: ${error}`;
      voice.tell([`automation ${name} is ${state}${words}`]);
      return { automation, code: state === "ready" && error === null ? EXIT.ok : EXIT.failed };
    }
    await sleep(LOOK_MS);
  }
}
