import type { FastifyRequest } from "fastify";
import { isDeepStrictEqual } from "node:util";

import { callerOf } from "./caller.ts";
import { Problem } from "./problem.ts";

/**
 * Lists of recurring campaigns come from addresses, from files of the folder of lists, or out of databases that the
 * settings name. The last two hold whatever they hold, people of other brands as well: they are named by callers of
 * every brand alone. An address is its own protection, as that of a webhook.
 *
 * @param contacts a source as a spec or schedule has it, or nothing
 * @param before the one that it stands in place of: whoever leaves it as it is names nothing
 * @throws Problem 403
 */
export function requireOpenSource(request: FastifyRequest, contacts: unknown, before?: unknown): void {
  if (typeof contacts !== "object" || contacts === null || "url" in contacts) return;
  if (isDeepStrictEqual(contacts, before)) return;
  const { name, brands } = callerOf(request);
  if (brands === undefined) return;
  const what = "database" in contacts ? "a database of the settings" : "the folder of lists";
  throw new Problem({
    status: 403,
    code: "other_brands",
    detail: `the token ${name} is for ${brands.join(", ")} alone, and contacts takes a list out of ${what}, in which people of other brands may stand: give contacts a url, or ask somebody whose token is for every brand`,
  });
}
