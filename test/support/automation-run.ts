import type { ActivityDeps } from "../../src/activities/deps.ts";
import { tendAutomation } from "../../src/activities/automations/tend-automation.ts";
import {
  readAutomationDefinition,
  type AutomationDefinition,
} from "../../src/domain/automations/automation.ts";
import {
  putAutomation,
  readAutomationById,
  type Automation,
} from "../../src/ledger/automations/automations.ts";
import type { Platform, Workflow } from "../../src/platform/index.ts";
import { given } from "./ledgers.ts";

/*
 * An automation's way, step by step and by hand: real ledger, real sockets to a sandbox, no Temporal. Waits pass at
 * once, on a clock that is set forward.
 */

export const AGENT = "11111111-1111-4111-8111-111111111111";
export const OTHER_AGENT = "22222222-2222-4222-8222-222222222222";

/** A definition of n8n with one node that signs in somewhere. */
export function workflowJson(word: string, credential?: string): Record<string, unknown> {
  return {
    nodes: [
      {
        name: word,
        type: "n8n-nodes-base.noOp",
        ...(credential !== undefined && { credentials: { [credential]: {} } }),
      },
    ],
    connections: {},
  };
}

function definitionOf(fields: Record<string, unknown>): AutomationDefinition {
  const reading = readAutomationDefinition({
    trigger_type: "post_call",
    timeout_seconds: 5,
    ...(fields["generate"] === undefined && { workflow: workflowJson("first") }),
    ...fields,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.definition;
}

export async function put(deps: ActivityDeps, fields: Record<string, unknown>): Promise<Automation> {
  const definition = definitionOf(fields);
  const input = { definition, actor: "test", nowMs: deps.now() };
  const { automation } = await deps.ledger.transaction((tx) => putAutomation(tx, input));
  return automation;
}

/** The same ports, on a clock that passes over what is waited for. */
export function withClock(deps: ActivityDeps): ActivityDeps & { pass(ms: number): void } {
  let aheadMs = 0;
  return {
    ...deps,
    now: () => Date.now() + aheadMs,
    pass(ms) {
      aheadMs += ms;
    },
  };
}

/** More steps than any way has, looks included. */
const MOST_STEPS = 400;

/** Takes steps until there is nothing to do. */
export async function tend(
  deps: ActivityDeps & { pass(ms: number): void },
  automationId: string,
): Promise<Automation> {
  for (let n = 0; n < MOST_STEPS; n += 1) {
    const step = await tendAutomation(deps, { automationId });
    if (step.next === "done") return given(await readAutomationById(deps.ledger.db, automationId));
    deps.pass(step.waitMs);
  }
  const stuck = await readAutomationById(deps.ledger.db, automationId);
  throw new Error(`no end after ${MOST_STEPS} steps: ${stuck?.state} at ${stuck?.step}: ${stuck?.error}`);
}

/** Says that its process died. */
export class Killed extends Error {}

/**
 * The platform, for a process that dies at its n-th request (from 1), or its first one of a kind, before it took
 * effect or after.
 */
export function dyingAt(platform: Platform, which: number | string, when: "before" | "after"): Platform {
  let count = 0;
  const mortal = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name, receiver) {
        const method: unknown = Reflect.get(target, name, receiver);
        if (typeof method !== "function") return method;
        return (...args: unknown[]) => {
          count += 1;
          const isLast = count === which || name === which;
          if (isLast && when === "before") return dead();
          const result: unknown = Reflect.apply(method, target, args);
          return isLast ? after(result) : result;
        };
      },
    });
  return { ...platform, workflows: mortal(platform.workflows), agents: mortal(platform.agents) };
}

async function after(result: unknown): Promise<never> {
  if (result instanceof Promise) await result;
  return dead();
}

/** A request that fails, and a list whose first row never comes. */
function dead(): Promise<never> & AsyncIterable<never> {
  const killed = Promise.reject(new Killed("killed"));
  killed.catch(() => {});
  return Object.assign(killed, { [Symbol.asyncIterator]: () => ({ next: () => killed }) });
}

/** Automations on the platform whose names begin so, those out of service included. */
export async function onPlatform(platform: Platform, name: string): Promise<Workflow[]> {
  const found: Workflow[] = [];
  for await (const workflow of platform.workflows.iterate({ per_page: 500 }))
    if (workflow.name?.startsWith(name)) found.push(workflow);
  return found;
}
