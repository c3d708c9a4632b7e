import type { Config } from "../../config.ts";
import type { Api } from "../api/client.ts";
import { ApiProblemError, ApiUnreachableError } from "../api/errors.ts";
import { CliError } from "../errors.ts";
import { findRunningSystem, openFound } from "../running-system.ts";
import { fail, ok, warn, type Check } from "./check.ts";

/** Whether whoever is to be told of what waits for people can be: asked of the system that runs, if one does. */
export async function checkRoutes(config: Config): Promise<Check[]> {
  const found = findRunningSystem(config);
  if (!found) return [];
  let api: Api | undefined;
  try {
    api = await openFound(config, found);
    const { items } = await api.notices.list();
    if (items.length === 0)
      return [
        ok("attention routes", "none: what waits for people is told to nobody, and stands in the list"),
      ];
    const checks: Check[] = [];
    for (const { name } of items) checks.push(...routeChecks(await api.notices.show(name)));
    return checks;
  } catch (error) {
    // That the system does not answer is told by the check of the ledger.
    if (error instanceof ApiUnreachableError || error instanceof ApiProblemError || error instanceof CliError)
      return [];
    throw error;
  } finally {
    await api?.close();
  }
}

function routeChecks({ route, warnings }: Awaited<ReturnType<Api["notices"]["show"]>>): Check[] {
  const name = `attention route ${route.name}`;
  const remedy = `mend it, then try it: \`outdial attention test --route ${route.name}\``;
  if (warnings.length > 0) return warnings.map((warning) => fail(name, warning, remedy));
  if (route.trouble !== null) return [warn(name, route.trouble, remedy)];
  return [
    ok(
      name,
      route.delivered_at === null
        ? `nothing delivered yet; \`outdial attention test --route ${route.name}\` tries it`
        : `delivered last at ${route.delivered_at}`,
    ),
  ];
}
