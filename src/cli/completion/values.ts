import { Argument } from "commander";

import type { Config } from "../../config.ts";
import type { Api } from "../api/client.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CliContext } from "../context.ts";
import { readContexts } from "../contexts/context-file.ts";
import { openAnswering } from "../system-at-hand.ts";
import { LOOKED_UP, type LookedUp } from "./tree.ts";

/** Whoever presses Tab does not wait for longer: then there is nothing to choose from. */
const ANSWER_WITHIN_MS = 300;

/** More are not chosen from. */
const MOST_NAMES = 100;

/** For the scripts: names of a kind, a line each; nothing, and no word, where they can't be had at once. */
export function registerComplete(program: CliCommand, context: CliContext): void {
  program
    .command("__complete", { hidden: true })
    .description("Prints the names of a kind, for completion.")
    .addArgument(new Argument("<kind>", "what is named").choices(LOOKED_UP))
    .option("--brand <brand>", "only those of one brand")
    .does(async ({ config }, kind: LookedUp, { brand }: { brand?: string }) => {
      for (const name of await namesOf(config, kind, brand)) context.stdout.write(`${name}\n`);
    });
}

/** Exported for its test, which is not in a hurry. */
export async function namesOf(
  config: Config,
  kind: LookedUp,
  brand: string | undefined,
  withinMs = ANSWER_WITHIN_MS,
): Promise<readonly string[]> {
  if (kind === "context") return Object.keys(readContexts(config.api.contextsFile).contexts);
  if (kind === "preset") {
    const { presetListView } = await import("../../http/wire/preset-view.ts");
    return presetListView().items.map(({ id }) => id);
  }
  // A keychain would ask for its password in the middle of a line.
  if (config.api.context?.isTokenOfProgram === true) return [];
  const late = new Promise<never[]>((resolve) => {
    setTimeout(() => resolve([]), withinMs).unref();
  });
  const asked = askNames(config, kind, brand, withinMs).catch(() => []);
  return Promise.race([asked, late]);
}

async function askNames(
  config: Config,
  kind: Exclude<LookedUp, "context" | "preset">,
  brand: string | undefined,
  withinMs: number,
): Promise<string[]> {
  const api = await openAnswering(config, withinMs);
  if (!api) return [];
  try {
    const { items } = await listOf(api, kind, brand);
    // A name with a line break in it would be two.
    return [...new Set(items.map(({ name }) => name))].filter((name) => !/\p{Cc}/u.test(name));
  } finally {
    await api.close();
  }
}

function listOf(
  api: Api,
  kind: Exclude<LookedUp, "context" | "preset">,
  brand: string | undefined,
): Promise<{ items: readonly { name: string }[] }> {
  switch (kind) {
    case "campaign":
      return api.campaigns.list({ brand, limit: MOST_NAMES });
    case "sequence":
      return api.sequences.list({ brand, limit: MOST_NAMES, skip: 0 });
    case "trigger":
      return api.triggers.list();
    case "schedule":
      return api.schedules.list();
    case "automation":
      return api.automations.list();
  }
}
