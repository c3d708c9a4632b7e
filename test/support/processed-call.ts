import { expect, vi } from "vitest";

import type { Platform } from "../../src/platform/index.ts";
import { given } from "./ledgers.ts";

/** A call that the platform has made and processed, with its transcript and recording. @returns its id */
export async function processedCall(platform: Platform, phone: string): Promise<string> {
  const agent = given((await platform.agents.list()).items.find(({ status }) => status === "published"));
  const from = given((await platform.phoneNumbers.list()).items[0]);
  const { call_id: id } = await platform.calls.phone({
    agent_id: given(agent.agent_id),
    from_number: given(from.phone_number),
    to_number: phone,
  });
  await vi.waitFor(async () => expect((await platform.calls.get(id)).processing_status).toBe("completed"), {
    timeout: 20_000,
    interval: 50,
  });
  return id;
}
