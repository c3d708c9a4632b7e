import type { FastifyRequest } from "fastify";

import { callerText, hasRole, mayTouch, type Caller } from "../domain/ground/access.ts";
import { Problem } from "./problem.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Null: a probe, or a system that shows itself by other means. */
    caller: Caller | null;
  }
}

/** Whoever has the token of the system itself, or is on its machine where it has none. */
export const SYSTEM: Caller = { kind: "system", name: "system", role: "admin", brands: undefined };

/** @throws Error for a route that nobody has to show anything for */
export function callerOf({ caller, routeOptions }: FastifyRequest): Caller {
  if (caller) return caller;
  throw new Error(`${routeOptions.url ?? "this route"} asks who calls, and lets in whoever comes`);
}

/**
 * Of what a request names itself.
 *
 * @param brand undefined: all of them together
 * @throws Problem 403 where the caller is for other brands. It tells nothing of what there is.
 */
export function requireBrand(request: FastifyRequest, brand: string | undefined): void {
  const caller = callerOf(request);
  if (!mayTouch(caller, brand)) throw otherBrands(caller, brand);
}

export function otherBrands(caller: Caller, brand: string | undefined): Problem {
  const { brands = [] } = caller;
  const what = brand === undefined ? "this is about every brand" : `this is about the brand ${brand}`;
  const own = brands.join(", ");
  const remedy =
    brand === undefined
      ? `name one of its own where the request takes a brand (--brand ${brands[0] ?? ""}), or ask somebody whose token is for all of them`
      : "name one of its own (--brand), or ask for a token that is for this one";
  return new Problem({
    status: 403,
    code: "other_brands",
    detail: `${callerText(caller)} is for ${own} alone, and ${what}: ${remedy}`,
  });
}

/** Viewers see what happened, and not whose number it is. */
export function hidesNumbers({ caller }: FastifyRequest): boolean {
  return caller !== null && !hasRole(caller, "operator");
}
