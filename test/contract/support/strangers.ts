import {
  type EndpointName,
  NotFoundError,
  type OperationEntry,
  operations,
  type Platform,
} from "../../../src/platform/index.ts";

/** A body that each operation with a body takes; those without an entry send none. */
const BODIES: Readonly<Partial<Record<EndpointName, object>>> = {
  "agents.update": { temperature: 0 },
  "phoneNumbers.update": { nickname: "mine" },
  "phoneNumbers.setAgents": {},
  "sipConnections.create": { termination_uri: "sip.stranger.example" },
  "sipConnections.update": { nickname: "mine" },
  "workflows.refine": { feedback: "more" },
  "workflows.update": { name: "mine" },
  "workflows.restore": { version: 1 },
  "workflows.setSecrets": { secrets: [{ key_name: "k", value: "v" }] },
  "workflows.setSchedule": { interval_minutes: 5 },
  "workflows.updateAgentLink": { priority: 1 },
  "apiKeys.update": { name: "mine" },
  "chat.send": { content: "hello" },
};

/** Operations that take an id and are not answered with 404 to somebody who does not own what it names. */
export async function operationsThatLetIn(
  platform: Platform,
  idOf: (entry: OperationEntry, param: string) => string,
): Promise<string[]> {
  const letIn: string[] = [];
  for (const entry of operations) {
    const names = Object.keys(entry.params.shape);
    if (names.length === 0 || entry.name === "config.category") continue;
    const params = Object.fromEntries(names.map((param) => [param, idOf(entry, param)]));
    const body = BODIES[entry.name];
    const outcome = await platform
      .send(entry.name, {
        params,
        ...(body !== undefined && { body }),
        ...(entry.body === "multipart" && { file: { data: Buffer.from("x"), filename: "x.txt" } }),
      })
      .catch((error: unknown) => error);
    if (!(outcome instanceof NotFoundError)) letIn.push(`${entry.name}: ${String(outcome)}`);
  }
  return letIn;
}

/** Every list and total that needs no id. */
export const lists: readonly ((platform: Platform) => Promise<unknown>)[] = operations
  .filter(
    ({ params, endpoint, answer }) =>
      Object.keys(params.shape).length === 0 && endpoint.method === "GET" && answer.kind !== "object",
  )
  .map(
    ({ name }) =>
      async (platform: Platform) =>
        await platform.send(name, {}),
  );
