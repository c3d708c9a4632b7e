import type { Config } from "../../config.ts";
import { contextIn, contextNameFor } from "../contexts/chosen.ts";
import { readContexts } from "../contexts/context-file.ts";
import { CliError } from "../errors.ts";
import { saidAndRemedy } from "../said.ts";
import { fail, ok, type Check } from "./check.ts";

/** Which system commands speak to by a context. Doctor itself looks at this machine. */
export function checkContext(config: Config, dataDir: string | undefined): Check[] {
  try {
    const name = contextNameFor(
      config,
      { context: undefined, dataDir },
      () => readContexts(config.api.contextsFile).current,
    );
    if (name === undefined) return [];
    const { url, protected: isProtected } = contextIn(readContexts(config.api.contextsFile), name);
    return [
      ok(
        "context",
        `commands speak to ${url} (${name}${isProtected === true ? ", protected" : ""}); what is looked at here is this machine`,
      ),
    ];
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const { problem, remedy } = saidAndRemedy(error.message);
    return [fail("context", problem, remedy ?? "correct it with `outdial context set`")];
  }
}
