import { onTestFinished } from "vitest";

import { createPlatform } from "../../../src/platform/index.ts";
import type { ChatRoom, PlatformClient, RoomMessage } from "../../../src/platform/index.ts";
import { createSandbox } from "../../../src/sandbox/sandbox.ts";
import type { Sandbox } from "../../../src/sandbox/sandbox.ts";
import type { SandboxOptions } from "../../../src/sandbox/options.ts";

/** Samples of sound. */
export const HALF_A_SECOND = 24_000;

/** A client of a sandbox, closed with the test. */
export function clientOf({ url, wsUrl, apiKey }: Sandbox): PlatformClient {
  const platform = createPlatform({ baseUrl: url, wsUrl, apiKey });
  onTestFinished(() => platform.close());
  return platform;
}

/** A sandbox and a client of it, closed with the test. */
export async function openSandbox(
  options: SandboxOptions,
): Promise<{ sandbox: Sandbox; platform: PlatformClient }> {
  const sandbox = await createSandbox(options);
  onTestFinished(() => sandbox.close());
  return { sandbox, platform: clientOf(sandbox) };
}

/** What the agent says next; undefined: the room is over. */
export function ears(room: ChatRoom): () => Promise<string | undefined> {
  const heard = room[Symbol.asyncIterator]();
  return async () => {
    const next: IteratorResult<RoomMessage> = await heard.next();
    return next.done === true ? undefined : next.value.content;
  };
}

/** How many samples of a piece of sound are heard. */
export function loudIn(samples: Int16Array): number {
  return samples.filter((sample) => Math.abs(sample) > 200).length;
}
