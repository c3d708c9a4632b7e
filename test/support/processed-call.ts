import { expect, vi } from "vitest";

import type { Platform } from "../../src/platform/index.ts";
import { given } from "./ledgers.ts";
import { PATIENCE_MS } from "./until.ts";

/** Of the sandbox's seed. */
const PUBLISHED_AGENT = "11111111-1111-4111-8111-111111111111";

/** A call that the platform has made and processed, with its transcript and recording. @returns its id */
export async function processedCall(platform: Platform, phone: string): Promise<string> {
  const from = given((await platform.phoneNumbers.list()).items[0]);
  const { call_id: id } = await platform.calls.phone({
    agent_id: PUBLISHED_AGENT,
    from_number: given(from.phone_number),
    to_number: phone,
  });
  await vi.waitFor(async () => expect((await platform.calls.get(id)).processing_status).toBe("completed"), {
    timeout: PATIENCE_MS,
    interval: 50,
  });
  return id;
}
