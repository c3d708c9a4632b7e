import { ACCESS } from "./operations/access.ts";
import { ATTENTION } from "./operations/attention.ts";
import { AUTOMATIONS } from "./operations/automations.ts";
import { CAMPAIGNS } from "./operations/campaigns.ts";
import { DECLARED } from "./operations/declared.ts";
import { FOLLOW_UPS } from "./operations/follow-ups.ts";
import { MONEY } from "./operations/money.ts";
import type { Operation } from "./operations/operation.ts";
import { PEOPLE } from "./operations/people.ts";
import { SCHEDULES } from "./operations/schedules.ts";
import { SEQUENCES } from "./operations/sequences.ts";
import { SUPPRESSIONS } from "./operations/suppressions.ts";
import { SYSTEM } from "./operations/system.ts";
import { TRIGGERS } from "./operations/triggers.ts";

/*
 * What the description of the API (/openapi.json) calls each route and says of it, in tables by tag. A route that is in
 * none is not built, so that none is without a name. Names are for ever: generated clients call routes by them.
 *
 * What follows from the route itself is not said here: a caller's rights, keys, a thing of its address that is not
 * there, and bodies that are refused have their problems by rule (problem-rules.ts).
 */

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...SYSTEM,
  ...ACCESS,
  ...CAMPAIGNS,
  ...MONEY,
  ...FOLLOW_UPS,
  ...PEOPLE,
  ...SUPPRESSIONS,
  ...SEQUENCES,
  ...ATTENTION,
  ...TRIGGERS,
  ...AUTOMATIONS,
  ...SCHEDULES,
  ...DECLARED,
};

/** @throws Error where it has none: the program does not start like that. */
export function operationOf(method: string, url: string): Operation {
  const operation = OPERATIONS[`${method} ${url}`];
  if (operation) return operation;
  throw new Error(
    `nobody says what ${method} ${url} is called: give it its line in the table of its tag, in src/http/description/operations`,
  );
}
