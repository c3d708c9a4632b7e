import { callResponse } from "../../src/sandbox/schemas/calls.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { platformAt } from "../http/support.ts";
import { get, PUBLISHED_AGENT } from "../sandbox/support.ts";
import { given } from "./ledgers.ts";

/** Somebody calls one of our numbers. @returns the call's id */
export async function callUs(sandbox: Sandbox, from: string): Promise<string> {
  const { phoneNumbers } = platformAt(sandbox.url, sandbox.apiKey);
  const { phone_number_id: id, phone_number: to } = given((await phoneNumbers.list()).items[0]);
  await phoneNumbers.update(id, { inbound_agent_id: PUBLISHED_AGENT });
  const body = { from_number: from, to_number: to };
  return (await get(callResponse, sandbox, "POST", "/_sandbox/inbound-calls", body)).call_id;
}
