import { createHash, scrypt } from "node:crypto";

import type { AutomationDefinition } from "../../domain/automations/automation.ts";
import type { Wants } from "../../domain/automations/automation-state.ts";
import type { Automation } from "../../ledger/automations/automations.ts";
import { digestOf } from "../../ledger/ground/digest.ts";
import type { SecretStore } from "../deps.ts";

/** Enough to tell apart what one automation ever has. */
const DIGEST_CHARS = 16;

function shortDigest(value: unknown): string {
  return digestOf(value).slice(0, DIGEST_CHARS);
}

/** What the platform is told of an automation beside what it does (contract 4.5: what PATCH takes). */
export function settingsOf(definition: AutomationDefinition) {
  const { name, description, execution_mode: mode, timeout_seconds: timeout } = definition;
  return { name, description, execution_mode: mode, timeout_seconds: timeout };
}

/**
 * What is declared, in digests.
 *
 * @throws UnknownSecretError where a secret that it names is not there.
 */
export async function wantsOf(
  secrets: SecretStore,
  automation: Pick<Automation, "id" | "definition" | "memory">,
): Promise<Wants> {
  const { definition, memory } = automation;
  const { workflow, generate, trigger_type: trigger, trigger_config: config, test, agents } = definition;
  const asked = memory.asked?.kind === "test" ? {} : undefined;
  const wanted = test ?? asked;
  return {
    source: shortDigest({ workflow, generate, trigger, config }),
    made: workflow === undefined ? "generate" : "create",
    refine: (definition.refine ?? []).map((feedback) => shortDigest(feedback)),
    settings: shortDigest(settingsOf(definition)),
    secrets: await secretDigests(secrets, automation.id, definition),
    test: wanted && shortDigest(wanted),
    testsDeployed: test?.data !== undefined,
    active: definition.active,
    links: agents && shortDigest(agents),
    repeat: definition.repeat,
  };
}

async function secretDigests(
  store: SecretStore,
  automationId: string,
  { secrets }: AutomationDefinition,
): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const [key, { secret, type }] of Object.entries(secrets)) {
    const [value = ""] = store.read(secret, "every");
    digests[key] = await slowDigest(value, `${automationId} ${key} ${type}`);
  }
  return digests;
}

/** Digests of values in use: each is asked for at every step and every look. */
const known = new Map<string, string>();
const MOST_KNOWN = 1_000;

/** Tells a changed value from the same one. Slow on purpose: whoever reads the ledger can't guess values at leisure. */
async function slowDigest(value: string, salt: string): Promise<string> {
  const quick = createHash("sha256").update(`${salt}\n${value}`).digest("base64");
  const before = known.get(quick);
  if (before !== undefined) return before;
  const digest = await new Promise<string>((resolve, reject) => {
    scrypt(value, salt, 16, (error, key) => {
      if (error) reject(error);
      else resolve(key.toString("hex"));
    });
  });
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(quick, digest);
  return digest;
}
