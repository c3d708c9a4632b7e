import { CALLER_ID, freshPhone, PUBLISHED_AGENT } from "./world.ts";

/** What a call fails with. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => new Error("it was allowed"),
    (error: unknown) => error,
  );
}

/** What calls that were all begun at once fail with. */
export const failuresOf = (calls: readonly Promise<unknown>[]) => Promise.all(calls.map(failureOf));

export const aBatch = (agent_id = PUBLISHED_AGENT) => ({
  agent_id,
  from_number: CALLER_ID,
  contacts: [{ phone_number: freshPhone() }, { phone_number: freshPhone() }],
  max_concurrent_calls: 1,
  retry_attempts: 0,
});

export const aWorkflow = { name: "w", trigger_type: "webhook", workflow_json: { nodes: [] } } as const;

/** An organization beside the first, which has nothing. */
export const OTHER_KEY = "key-of-another-organization";
export const OTHER = {
  agents: [],
  numbers: [],
  balanceUsd: 10,
  apiKeys: [{ key: OTHER_KEY, scopes: ["*"] }],
};
