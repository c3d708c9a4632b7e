import type { FastifyRequest } from "fastify";

import { callerText, hasRole, mayTouch, type Caller } from "../domain/ground/access.ts";
import type { OfBrands } from "../ledger/ground/brands.ts";
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

/** As `requireBrand`, of what is about several: it takes a caller who is for each of them. */
export function requireBrands(request: FastifyRequest, brands: readonly string[]): void {
  for (const brand of brands) requireBrand(request, brand);
}

/**
 * What of a list a caller may see: of a brand, or of all that are theirs.
 *
 * @throws Problem 403 where it names another brand
 */
export function ofBrands(request: FastifyRequest, brand: string | undefined): OfBrands {
  if (brand !== undefined) requireBrand(request, brand);
  return { brand, within: callerOf(request).brands };
}

/**
 * Names of triggers and schedules are the whole system's. That one is taken shows in any case; what has it does not.
 *
 * @throws Problem 409 where what has the name is not the caller's to change
 */
export function requireOwnName(
  request: FastifyRequest,
  what: { kind: "trigger" | "schedule"; name: string; brands: readonly string[] },
): void {
  const caller = callerOf(request);
  const { kind, name, brands } = what;
  const isOwn = brands.length > 0 && brands.every((brand) => mayTouch(caller, brand));
  if (isOwn || caller.brands === undefined) return;
  throw new Problem({
    status: 409,
    code: "command_refused",
    detail: `the name ${JSON.stringify(name)} is taken, by a ${kind} that is not for this token to change: choose another name`,
  });
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
