import fs from "node:fs";

import { givenKey, openKeyFile, type PlatformKey } from "./key-file.ts";
import { invalidOption } from "./url.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A library has no composition root that could read it: the program that uses it is one, and left the option out. */
// oxlint-disable-next-line no-process-env
const OURS: Environment = process.env;

/** The variables that stand for options which were left out. An empty one counts as absent. */
export const VARIABLES = {
  baseUrl: "PLATFORM_BASE_URL",
  wsUrl: "PLATFORM_WS_URL",
  apiKey: "PLATFORM_API_KEY",
  apiKeyFile: "PLATFORM_API_KEY_FILE",
} as const;

/** An option that was left out, by the environment; undefined where that has none either. */
export function fromEnvironment(
  option: "baseUrl" | "wsUrl",
  environment: Environment = OURS,
): string | undefined {
  const value = environment[VARIABLES[option]];
  return value === "" ? undefined : value;
}

/** The key by the environment: as it stands there, or in the file that is named there, which is read again when it changes. */
export function keyFromEnvironment(environment: Environment = OURS): () => string {
  const key = keyOf(environment);
  return () => key.current();
}

function keyOf(environment: Environment): PlatformKey {
  const { [VARIABLES.apiKey]: given = "", [VARIABLES.apiKeyFile]: file = "" } = environment;
  if (given !== "") return givenKey(given);
  if (file === "")
    throw invalidOption(
      "apiKey",
      `is needed: give it, or set ${VARIABLES.apiKey} or ${VARIABLES.apiKeyFile}`,
    );
  try {
    return openKeyFile(file, fs.readFileSync(file, "utf8").trim());
  } catch {
    throw invalidOption("apiKey", `can't be read from the file that ${VARIABLES.apiKeyFile} names`);
  }
}
