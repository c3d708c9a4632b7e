import type { BrandedThing } from "../ledger/ground/brands.ts";
import type { Role } from "../domain/ground/access.ts";

/*
 * What it takes to ask for each route, in one table. A route that is not in it is not built, so that none is open by
 * being forgotten.
 */

/**
 * How a route says of which brand it is. A caller of some brands is held to them before the route is asked
 * (plugins/brands.ts); one of all brands never is.
 *
 * - `none`: it shows or changes nothing of a brand.
 * - `every`: it is about all brands at once, and is not for callers of some.
 * - `query`: the brand in its query. Whoever is for one brand need not name it: that is what is shown.
 * - `named`: the brand in its body; nothing there means every brand.
 * - `list`: the brand in its query; nothing there means every brand.
 * - `body`: the brand in its body; nothing there means `default`.
 * - `entries`: the brand of each entry of its body; nothing there means every brand.
 * - `handler`: that of a document, which the route reads, and then asks `requireBrand`.
 * - others: that of the thing which it is about.
 */
export type BrandOf =
  | "none"
  | "every"
  | "query"
  | "named"
  | "list"
  | "body"
  | "entries"
  | "handler"
  | BrandedThing;

export interface RouteAccess {
  /** The least role. Undefined: the route makes sure itself who asks, is a probe, or is for whoever is nobody yet. */
  role: Role | undefined;
  brand: BrandOf;
}

const viewer = (brand: BrandOf): RouteAccess => ({ role: "viewer", brand });
const operator = (brand: BrandOf): RouteAccess => ({ role: "operator", brand });
const admin = (brand: BrandOf): RouteAccess => ({ role: "admin", brand });
const open: RouteAccess = { role: undefined, brand: "none" };

export const ROUTE_ACCESS: Readonly<Record<string, RouteAccess>> = {
  "GET /healthz": open,
  "GET /readyz": open,
  "GET /openapi.json": viewer("none"),

  // The dashboard: pages and what they load, which are the same for everybody.
  "GET /": open,
  "GET /assets/*": open,

  "GET /v1/me": viewer("none"),
  "GET /v1/session/ways": open,
  "POST /v1/session": open,
  // Where browsers are sent, and come back to.
  "GET /v1/session/oidc/start": open,
  "GET /v1/session/oidc/callback": open,
  "GET /v1/session": viewer("none"),
  "DELETE /v1/session": viewer("none"),
  "POST /v1/session/codes": admin("every"),
  // Who is signed in, over all brands.
  "GET /v1/sessions": admin("every"),
  "DELETE /v1/sessions": admin("every"),
  "DELETE /v1/sessions/:id": admin("every"),
  "GET /v1/tokens": admin("every"),
  "POST /v1/tokens": admin("every"),
  "DELETE /v1/tokens/:name": admin("every"),
  // Entries that name a brand, or are about one of its campaigns; those of none are of the system, and for all alone.
  "GET /v1/audit": admin("query"),
  "GET /v1/events": viewer("query"),
  "GET /v1/events/stream": viewer("query"),

  // They are sent all numbers, of the brands that they name or of all.
  "GET /v1/events/webhooks": operator("every"),
  "GET /v1/events/webhooks/:name": operator("every"),
  "PUT /v1/events/webhooks": admin("every"),
  "DELETE /v1/events/webhooks/:name": admin("every"),
  "POST /v1/events/webhooks/:name/enable": operator("every"),
  "POST /v1/events/webhooks/:name/test": operator("every"),

  "GET /v1/system": viewer("none"),
  "GET /v1/installation": viewer("none"),
  // Folders, addresses and users of the machine.
  "GET /v1/doctor": admin("every"),
  "POST /v1/sweep": operator("every"),
  "POST /v1/recover": admin("every"),
  "POST /v1/go-on": admin("every"),
  "POST /v1/stop-all": operator("every"),
  // All that is known of people, for whoever may read the disk.
  "POST /v1/ledger/copies": admin("every"),

  "POST /v1/campaigns": operator("handler"),
  "GET /v1/campaigns": viewer("query"),
  "POST /v1/campaigns/:ref/clone": operator("campaign"),
  "GET /v1/campaigns/:ref": viewer("campaign"),
  "GET /v1/campaigns/:ref/progress": viewer("campaign"),
  "GET /v1/campaigns/:ref/report": viewer("campaign"),
  "GET /v1/campaigns/:ref/canary": viewer("campaign"),
  "GET /v1/campaigns/:ref/estimate": viewer("campaign"),
  "GET /v1/campaigns/:ref/caller-ids": viewer("campaign"),
  "GET /v1/campaigns/:ref/timeline": viewer("campaign"),
  "GET /v1/campaigns/:ref/holds": viewer("campaign"),
  "GET /v1/campaigns/:ref/outlook": viewer("campaign"),
  "GET /v1/campaigns/:ref/contacts": viewer("campaign"),
  "GET /v1/campaigns/:ref/contacts/:phone": viewer("campaign"),
  "GET /v1/campaigns/:ref/contacts/:phone/explanation": viewer("campaign"),
  "GET /v1/campaigns/:ref/attempts": viewer("campaign"),
  "GET /v1/campaigns/:ref/calls": viewer("campaign"),
  "GET /v1/campaigns/:ref/batches": viewer("campaign"),
  "GET /v1/campaigns/:ref/batches/:id": viewer("campaign"),
  "GET /v1/contacts": viewer("query"),
  // Rows of a list as they came; and it takes the time of whoever dials.
  "POST /v1/contacts/validate": operator("query"),
  "POST /v1/rehearsals": operator("query"),
  // What was said in it, as the platform has it.
  "GET /v1/calls/:id": operator("call"),
  "GET /v1/calls/:id/recording": operator("call"),
  "GET /v1/campaigns/:ref/results.csv": viewer("campaign"),
  // Rows of lists as they came, with whatever somebody put into a column.
  "GET /v1/campaigns/:ref/rejects.csv": operator("campaign"),
  "POST /v1/campaigns/:ref/contacts": operator("campaign"),
  "POST /v1/campaigns/:ref/start": operator("campaign"),
  "POST /v1/campaigns/:ref/pause": operator("campaign"),
  "POST /v1/campaigns/:ref/cancel": operator("campaign"),
  "POST /v1/campaigns/:ref/resume": operator("campaign"),
  "POST /v1/campaigns/:ref/approve": operator("campaign"),
  "POST /v1/campaigns/:ref/amend": operator("campaign"),
  "POST /v1/campaigns/:ref/amend/preview": operator("campaign"),
  "POST /v1/campaigns/:ref/withdrawals": operator("campaign"),
  "POST /v1/campaigns/:ref/archive": operator("campaign"),
  "POST /v1/campaigns/:ref/unarchive": operator("campaign"),
  "GET /v1/past-calls": viewer("query"),

  "GET /v1/follow-ups": viewer("query"),
  // With what was sent to other systems about a person.
  "GET /v1/follow-ups/:id": operator("follow_up"),
  "GET /v1/actions/:id": operator("action"),
  "POST /v1/actions/:id/retry": operator("action"),
  "POST /v1/actions/:id/skip": operator("action"),
  "POST /v1/actions/:id/replay": operator("action"),

  // A list of people by their numbers, page by page.
  "GET /v1/tags": operator("query"),
  "DELETE /v1/tags": operator("body"),
  "GET /v1/people/called": viewer("query"),
  "GET /v1/people/:phone/story": viewer("query"),
  // Everything that is known of somebody, over all brands, and taking it away.
  "GET /v1/people/:phone/export": admin("every"),
  "GET /v1/people/:phone/calls": admin("every"),
  "GET /v1/people/:phone/calls/:call_id/recording": admin("every"),
  "POST /v1/people/:phone/forget": admin("every"),
  "GET /v1/forgettings": admin("every"),
  "GET /v1/forgettings/:id": admin("every"),
  "GET /v1/data-keys": admin("every"),
  "GET /v1/retention": admin("every"),
  "PUT /v1/retention": admin("every"),

  "POST /v1/suppressions": operator("entries"),
  "DELETE /v1/suppressions": operator("named"),
  "GET /v1/suppressions": viewer("query"),
  "POST /v1/suppressions/import": operator("list"),
  "GET /v1/suppressions/sources": viewer("query"),
  "GET /v1/suppressions/sources/:name": viewer("source"),
  "PUT /v1/suppressions/sources/:name": operator("every"),
  "DELETE /v1/suppressions/sources/:name": operator("every"),
  "POST /v1/suppressions/sources/:name/list": operator("source"),
  "POST /v1/suppressions/sources/:name/check": operator("source"),

  "POST /v1/consents": operator("body"),
  "GET /v1/consents": viewer("query"),
  "POST /v1/consents/withdraw": operator("body"),

  "POST /v1/blackouts": operator("named"),
  "GET /v1/blackouts": viewer("query"),
  "DELETE /v1/blackouts/:id": operator("blackout"),

  "PUT /v1/budgets": admin("named"),
  "GET /v1/budgets": viewer("query"),
  "POST /v1/budgets/check": operator("every"),
  "DELETE /v1/budgets": admin("named"),

  "GET /v1/presets": viewer("none"),
  "GET /v1/presets/:name": viewer("none"),

  "PUT /v1/sequences": operator("handler"),
  "POST /v1/sequences/check": operator("handler"),
  "POST /v1/sequences/rehearse": operator("body"),
  "GET /v1/sequences": viewer("query"),
  "GET /v1/sequences/:ref": viewer("sequence"),
  "GET /v1/sequences/:ref/conversion": viewer("sequence"),
  "GET /v1/sequences/:ref/diagram": viewer("sequence"),
  "GET /v1/sequences/:ref/rejects.csv": operator("sequence"),
  "POST /v1/sequences/:ref/pause": operator("sequence"),
  "POST /v1/sequences/:ref/resume": operator("sequence"),
  "POST /v1/sequences/:ref/close": operator("sequence"),
  "POST /v1/sequences/:ref/exit": operator("sequence"),
  "POST /v1/sequences/:ref/skip": operator("sequence"),
  "POST /v1/sequences/:ref/event": operator("sequence"),
  "POST /v1/sequences/:ref/enrolments": operator("sequence"),
  "GET /v1/sequences/:ref/enrolments": viewer("sequence"),
  "POST /v1/sequences/:ref/enrolments/list": operator("sequence"),
  "GET /v1/enrolments/:id": viewer("enrolment"),
  "POST /v1/enrolments/:id/pause": operator("enrolment"),
  "POST /v1/enrolments/:id/resume": operator("enrolment"),
  "POST /v1/enrolments/:id/move": operator("enrolment"),
  "POST /v1/enrolments/:id/skip": operator("enrolment"),
  "POST /v1/enrolments/:id/exit": operator("enrolment"),
  "POST /v1/enrolments/:id/event": operator("enrolment"),

  "GET /v1/attention": viewer("query"),
  "POST /v1/attention/:id/resolve": operator("attention"),
  "POST /v1/attention/:id/acknowledge": operator("attention"),
  // What is told of all brands goes out through them.
  "GET /v1/attention/routes": operator("every"),
  "GET /v1/attention/routes/:name": operator("every"),
  "PUT /v1/attention/routes": admin("every"),
  "DELETE /v1/attention/routes/:name": admin("every"),
  "POST /v1/attention/test": operator("every"),

  // One that acts for several brands is of all of them, and takes a caller who is for each.
  "PUT /v1/triggers": operator("handler"),
  "GET /v1/triggers": viewer("handler"),
  "GET /v1/triggers/:name": viewer("trigger"),
  "POST /v1/triggers/:name": open,
  "POST /v1/triggers/:name/enable": operator("trigger"),
  "POST /v1/triggers/:name/disable": operator("trigger"),
  "POST /v1/triggers/:name/try": operator("trigger"),
  "GET /v1/triggers/:name/deliveries": viewer("trigger"),
  // The body as another system sent it.
  "GET /v1/deliveries/:id": operator("delivery"),
  "POST /v1/deliveries/:id/retry": operator("delivery"),
  "POST /v1/deliveries/:id/skip": operator("delivery"),
  "POST /v1/triggers/:name/retry": operator("trigger"),
  "POST /v1/hooks/platform/:token": open,

  // They stand on the platform's account, which all brands share, and any campaign may name them.
  "PUT /v1/automations": admin("every"),
  "GET /v1/automations": viewer("every"),
  "POST /v1/automations/import": admin("every"),
  "GET /v1/automations/:name": viewer("every"),
  "DELETE /v1/automations/:name": admin("every"),
  "GET /v1/automations/:name/export": operator("every"),
  "POST /v1/automations/:name/test": operator("every"),
  "POST /v1/automations/:name/deploy": admin("every"),
  "POST /v1/automations/:name/restore": admin("every"),
  "POST /v1/automations/:name/retry": operator("every"),
  "GET /v1/automations/:name/executions": viewer("every"),
  "GET /v1/automations/health": viewer("every"),
  "POST /v1/automations/executions/:id/rerun": operator("every"),

  // Of the brand whose campaign it runs. One that runs an automation is of no brand, and for callers of all.
  "PUT /v1/schedules": operator("handler"),
  "GET /v1/schedules": viewer("handler"),
  "GET /v1/schedules/:name": viewer("schedule"),
  "DELETE /v1/schedules/:name": operator("schedule"),
  "GET /v1/schedules/:name/next": viewer("schedule"),
  "POST /v1/schedules/:name/pause": operator("schedule"),
  "POST /v1/schedules/:name/resume": operator("schedule"),
  "POST /v1/schedules/:name/repair": operator("schedule"),
  "GET /v1/schedules/:name/runs": viewer("schedule"),
  "POST /v1/schedules/:name/run": operator("schedule"),
  "POST /v1/schedules/:name/backfill": operator("schedule"),

  // Each document for itself: what is of another brand, or of all, is not there.
  "POST /v1/declared/diff": operator("handler"),
  "POST /v1/declared/apply": admin("handler"),
  "GET /v1/declared": viewer("handler"),
  "GET /v1/declared/documents": operator("handler"),
  "POST /v1/declared/prune": admin("handler"),

  "POST /v1/rules/test": operator("campaign"),

  "GET /v1/keys/status": admin("every"),
  "POST /v1/keys/rotate": admin("every"),
  "GET /v1/keys/rotations": admin("every"),
};

/** @throws Error where it is not said: the program does not start like that. */
export function accessTo(method: string, url: string): RouteAccess {
  const access = ROUTE_ACCESS[`${method} ${url}`];
  if (access) return access;
  throw new Error(
    `nobody says who may ask for ${method} ${url}: give it its line in src/http/route-access.ts`,
  );
}
