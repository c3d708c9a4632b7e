import { isIP } from "node:net";

import { SandboxOptionsError } from "./options-error.ts";
import { DEFAULT_API_KEY } from "./options.ts";
import type { SandboxOptions } from "./options.ts";
import { createSandbox } from "./sandbox.ts";
import type { Sandbox } from "./sandbox.ts";

/**
 * Starts a sandbox for other processes, as `outdial sandbox` does, and resolves once it listens. Beyond what
 * `createSandbox` refuses, it refuses to listen on an address that others can reach with the key that everybody
 * knows.
 */
export async function runSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host = "127.0.0.1", apiKeys = [DEFAULT_API_KEY] } = options;
  const hasKnownKey = apiKeys.some((key) => (typeof key === "string" ? key : key.key) === DEFAULT_API_KEY);
  if (!isLoopback(host) && hasKnownKey) {
    throw new SandboxOptionsError(
      `sandbox: ${host} can be reached from other machines; give it an API key of your own (--api-key), ` +
        "or listen on 127.0.0.1",
    );
  }
  return await createSandbox(options);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
