import { expect, it } from "vitest";

import { ROUTE_ACCESS } from "../../../src/http/route-access.ts";
import { describeSomeLedger } from "../../support/ledgers.ts";
import { headersOf, NOW_MS, openGuarded, openWorld, type Guarded } from "./support.ts";

/*
 * Every route by hand, beside the table of the program: the least role that may ask, and what somebody is answered who
 * is for another brand. `same`: as anybody. 403: it names the brand, or is about all of them. 404: as if it were not there.
 */
const ROUTES: readonly (readonly [route: string, least: Role, otherBrand: 403 | 404 | "same"])[] = [
  ["GET /openapi.json", "viewer", "same"],
  ["GET /v1/me", "viewer", "same"],
  ["POST /v1/session/codes", "admin", 403],
  ["GET /v1/sessions", "admin", 403],
  ["DELETE /v1/sessions", "admin", 403],
  ["DELETE /v1/sessions/:id", "admin", 403],
  ["GET /v1/tokens", "admin", 403],
  ["POST /v1/tokens", "admin", 403],
  ["DELETE /v1/tokens/:name", "admin", 403],
  ["GET /v1/audit", "admin", 403],
  ["GET /v1/events", "viewer", 403],
  ["GET /v1/events/stream", "viewer", 403],
  ["GET /v1/events/webhooks", "operator", 403],
  ["GET /v1/events/webhooks/:name", "operator", 403],
  ["PUT /v1/events/webhooks", "admin", 403],
  ["DELETE /v1/events/webhooks/:name", "admin", 403],
  ["POST /v1/events/webhooks/:name/enable", "operator", 403],
  ["POST /v1/events/webhooks/:name/test", "operator", 403],
  ["GET /v1/system", "viewer", "same"],
  ["GET /v1/installation", "viewer", "same"],
  ["GET /v1/doctor", "admin", 403],
  ["POST /v1/sweep", "operator", 403],
  ["POST /v1/recover", "admin", 403],
  ["POST /v1/go-on", "admin", 403],
  ["POST /v1/stop-all", "operator", 403],
  ["POST /v1/ledger/copies", "admin", 403],
  ["POST /v1/campaigns", "operator", 403],
  ["GET /v1/campaigns", "viewer", 403],
  ["POST /v1/campaigns/:ref/clone", "operator", 404],
  ["GET /v1/campaigns/:ref", "viewer", 404],
  ["GET /v1/campaigns/:ref/progress", "viewer", 404],
  ["GET /v1/campaigns/:ref/report", "viewer", 404],
  ["GET /v1/campaigns/:ref/canary", "viewer", 404],
  ["GET /v1/campaigns/:ref/estimate", "viewer", 404],
  ["GET /v1/campaigns/:ref/caller-ids", "viewer", 404],
  ["GET /v1/campaigns/:ref/timeline", "viewer", 404],
  ["GET /v1/campaigns/:ref/holds", "viewer", 404],
  ["GET /v1/campaigns/:ref/outlook", "viewer", 404],
  ["GET /v1/campaigns/:ref/contacts", "viewer", 404],
  ["GET /v1/campaigns/:ref/contacts/:phone", "viewer", 404],
  ["GET /v1/campaigns/:ref/contacts/:phone/explanation", "viewer", 404],
  ["GET /v1/campaigns/:ref/attempts", "viewer", 404],
  ["GET /v1/campaigns/:ref/calls", "viewer", 404],
  ["GET /v1/campaigns/:ref/batches", "viewer", 404],
  ["GET /v1/campaigns/:ref/batches/:id", "viewer", 404],
  ["GET /v1/contacts", "viewer", 403],
  ["POST /v1/contacts/validate", "operator", 403],
  ["POST /v1/rehearsals", "operator", 403],
  ["POST /v1/sequences/check", "operator", 403],
  ["POST /v1/sequences/rehearse", "operator", 403],
  ["GET /v1/calls/:id", "operator", 404],
  ["GET /v1/calls/:id/recording", "operator", 404],
  ["GET /v1/campaigns/:ref/results.csv", "viewer", 404],
  ["GET /v1/campaigns/:ref/rejects.csv", "operator", 404],
  ["POST /v1/campaigns/:ref/contacts", "operator", 404],
  ["POST /v1/campaigns/:ref/start", "operator", 404],
  ["POST /v1/campaigns/:ref/pause", "operator", 404],
  ["POST /v1/campaigns/:ref/cancel", "operator", 404],
  ["POST /v1/campaigns/:ref/resume", "operator", 404],
  ["POST /v1/campaigns/:ref/approve", "operator", 404],
  ["POST /v1/campaigns/:ref/amend", "operator", 404],
  ["POST /v1/campaigns/:ref/amend/preview", "operator", 404],
  ["POST /v1/campaigns/:ref/withdrawals", "operator", 404],
  ["POST /v1/campaigns/:ref/archive", "operator", 404],
  ["POST /v1/campaigns/:ref/unarchive", "operator", 404],
  ["GET /v1/past-calls", "viewer", 403],
  ["GET /v1/follow-ups", "viewer", 403],
  ["GET /v1/follow-ups/:id", "operator", 404],
  ["GET /v1/actions/:id", "operator", 404],
  ["POST /v1/actions/:id/retry", "operator", 404],
  ["POST /v1/actions/:id/skip", "operator", 404],
  ["POST /v1/actions/:id/replay", "operator", 404],
  ["GET /v1/tags", "operator", 403],
  ["DELETE /v1/tags", "operator", 403],
  ["GET /v1/people/called", "viewer", 403],
  ["GET /v1/people/:phone/story", "viewer", 403],
  ["GET /v1/people/:phone/export", "admin", 403],
  ["GET /v1/people/:phone/calls", "admin", 403],
  ["GET /v1/people/:phone/calls/:call_id/recording", "admin", 403],
  ["POST /v1/people/:phone/forget", "admin", 403],
  ["GET /v1/forgettings", "admin", 403],
  ["GET /v1/forgettings/:id", "admin", 403],
  ["GET /v1/data-keys", "admin", 403],
  ["GET /v1/retention", "admin", 403],
  ["PUT /v1/retention", "admin", 403],
  ["POST /v1/suppressions", "operator", 403],
  ["DELETE /v1/suppressions", "operator", 403],
  ["GET /v1/suppressions", "viewer", 403],
  ["POST /v1/suppressions/import", "operator", 403],
  ["GET /v1/suppressions/sources", "viewer", 403],
  ["GET /v1/suppressions/sources/:name", "viewer", 404],
  ["PUT /v1/suppressions/sources/:name", "operator", 403],
  ["DELETE /v1/suppressions/sources/:name", "operator", 403],
  ["POST /v1/suppressions/sources/:name/list", "operator", 404],
  ["POST /v1/suppressions/sources/:name/check", "operator", 404],
  ["POST /v1/consents", "operator", 403],
  ["GET /v1/consents", "viewer", 403],
  ["POST /v1/consents/withdraw", "operator", 403],
  ["POST /v1/blackouts", "operator", 403],
  ["GET /v1/blackouts", "viewer", 403],
  ["DELETE /v1/blackouts/:id", "operator", 404],
  ["PUT /v1/budgets", "admin", 403],
  ["GET /v1/budgets", "viewer", 403],
  ["POST /v1/budgets/check", "operator", 403],
  ["DELETE /v1/budgets", "admin", 403],
  ["GET /v1/presets", "viewer", "same"],
  ["GET /v1/presets/:name", "viewer", "same"],
  ["PUT /v1/sequences", "operator", 403],
  ["GET /v1/sequences", "viewer", 403],
  ["GET /v1/sequences/:ref", "viewer", 404],
  ["GET /v1/sequences/:ref/conversion", "viewer", 404],
  ["GET /v1/sequences/:ref/diagram", "viewer", 404],
  ["GET /v1/sequences/:ref/rejects.csv", "operator", 404],
  ["POST /v1/sequences/:ref/pause", "operator", 404],
  ["POST /v1/sequences/:ref/resume", "operator", 404],
  ["POST /v1/sequences/:ref/close", "operator", 404],
  ["POST /v1/sequences/:ref/exit", "operator", 404],
  ["POST /v1/sequences/:ref/skip", "operator", 404],
  ["POST /v1/sequences/:ref/event", "operator", 404],
  ["POST /v1/sequences/:ref/enrolments", "operator", 404],
  ["GET /v1/sequences/:ref/enrolments", "viewer", 404],
  ["POST /v1/sequences/:ref/enrolments/list", "operator", 404],
  ["GET /v1/enrolments/:id", "viewer", 404],
  ["POST /v1/enrolments/:id/pause", "operator", 404],
  ["POST /v1/enrolments/:id/resume", "operator", 404],
  ["POST /v1/enrolments/:id/move", "operator", 404],
  ["POST /v1/enrolments/:id/skip", "operator", 404],
  ["POST /v1/enrolments/:id/exit", "operator", 404],
  ["POST /v1/enrolments/:id/event", "operator", 404],
  ["GET /v1/attention", "viewer", 403],
  ["POST /v1/attention/:id/resolve", "operator", 404],
  ["POST /v1/attention/:id/acknowledge", "operator", 404],
  ["GET /v1/attention/routes", "operator", 403],
  ["GET /v1/attention/routes/:name", "operator", 403],
  ["PUT /v1/attention/routes", "admin", 403],
  ["DELETE /v1/attention/routes/:name", "admin", 403],
  ["POST /v1/attention/test", "operator", 403],
  ["PUT /v1/triggers", "operator", 403],
  ["GET /v1/triggers", "viewer", 403],
  ["GET /v1/triggers/:name", "viewer", 404],
  ["POST /v1/triggers/:name/enable", "operator", 404],
  ["POST /v1/triggers/:name/disable", "operator", 404],
  ["POST /v1/triggers/:name/try", "operator", 404],
  ["GET /v1/triggers/:name/deliveries", "viewer", 404],
  ["GET /v1/deliveries/:id", "operator", 404],
  ["POST /v1/deliveries/:id/retry", "operator", 404],
  ["POST /v1/deliveries/:id/skip", "operator", 404],
  ["POST /v1/triggers/:name/retry", "operator", 404],
  ["PUT /v1/automations", "admin", 403],
  ["GET /v1/automations", "viewer", 403],
  ["POST /v1/automations/import", "admin", 403],
  ["GET /v1/automations/:name", "viewer", 403],
  ["DELETE /v1/automations/:name", "admin", 403],
  ["GET /v1/automations/:name/export", "operator", 403],
  ["POST /v1/automations/:name/test", "operator", 403],
  ["POST /v1/automations/:name/deploy", "admin", 403],
  ["POST /v1/automations/:name/restore", "admin", 403],
  ["POST /v1/automations/:name/retry", "operator", 403],
  ["GET /v1/automations/:name/executions", "viewer", 403],
  ["GET /v1/automations/health", "viewer", 403],
  ["POST /v1/automations/executions/:id/rerun", "operator", 403],
  ["PUT /v1/schedules", "operator", 403],
  ["GET /v1/schedules", "viewer", 403],
  ["GET /v1/schedules/:name", "viewer", 404],
  ["GET /v1/schedules/:name/next", "viewer", 404],
  ["POST /v1/schedules/:name/pause", "operator", 404],
  ["POST /v1/schedules/:name/resume", "operator", 404],
  ["POST /v1/schedules/:name/repair", "operator", 404],
  ["GET /v1/schedules/:name/runs", "viewer", 404],
  ["POST /v1/schedules/:name/run", "operator", 404],
  ["POST /v1/schedules/:name/backfill", "operator", 404],
  ["DELETE /v1/schedules/:name", "operator", 404],
  ["POST /v1/declared/diff", "operator", 403],
  ["POST /v1/declared/apply", "admin", 403],
  ["GET /v1/declared", "viewer", "same"],
  ["GET /v1/declared/documents", "operator", "same"],
  ["POST /v1/declared/prune", "admin", 404],
  ["POST /v1/rules/test", "operator", 404],
  ["GET /v1/keys/status", "admin", 403],
  ["POST /v1/keys/rotate", "admin", 403],
  ["GET /v1/keys/rotations", "admin", 403],
];

const ROLES = ["viewer", "operator", "admin"] as const;
type Role = (typeof ROLES)[number];

/** They make sure themselves who asks, or are for probes. */
const OPEN = [
  "GET /healthz",
  "GET /readyz",
  "POST /v1/triggers/:name",
  "POST /v1/hooks/platform/:token",
  "GET /v1/session/ways",
  "POST /v1/session",
];

/** The dashboard's files, and where browsers are sent to sign in: not described. */
const PAGES = ["GET /", "GET /assets/*", "GET /v1/session/oidc/start", "GET /v1/session/oidc/callback"];

/** Whoever shows a token is no session, and is asked for a cookie (sessions.ledger.test.ts). */
const OF_SESSIONS = ["GET /v1/session", "DELETE /v1/session"];

/** Asked about nobody: what is told by the rights alone. */
const anyOf = (route: string) => {
  const [method = "", path = ""] = route.split(" ");
  return { method, url: path.replaceAll(/:\w+/g, "nobody"), headers: headersOf(path) };
};

describeSomeLedger("rights", (ledger) => {
  it("are said of every route, by this table and by the program's", async () => {
    expect([...ROUTES.map(([route]) => route), ...OPEN, ...PAGES, ...OF_SESSIONS].toSorted()).toEqual(
      Object.keys(ROUTE_ACCESS).toSorted(),
    );
    const { api } = await openGuarded(ledger());
    await api.app.ready();
    const described = Object.entries(api.app.swagger().paths ?? {}).flatMap(([path, methods]) =>
      Object.keys(methods ?? {}).map(
        (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
      ),
    );
    expect([...described, "GET /openapi.json", ...PAGES].toSorted()).toEqual(
      Object.keys(ROUTE_ACCESS).toSorted(),
    );
  });

  it("let nobody in at any route without a token that is good", async () => {
    const guarded = await openGuarded(ledger(), { now: () => NOW_MS + offMs });
    let offMs = 0;
    const expired = await guarded.makeToken("admin", { expires_at: new Date(NOW_MS + 60_000).toISOString() });
    const revoked = await guarded.makeToken("admin");
    await guarded.ask({
      method: "DELETE",
      url: `/v1/tokens/${revoked.name}`,
      payload: { reason: "it leaked" },
    });
    const shown = { none: "", wrong: "x".repeat(80), expired: expired.secret, revoked: revoked.secret };
    const codes = {
      none: "unauthorized",
      wrong: "unauthorized",
      expired: "token_expired",
      revoked: "token_revoked",
    };
    for (const [route] of ROUTES) {
      // Wrong tokens are counted by the minute.
      offMs += 120_000;
      for (const who of ["none", "wrong", "expired", "revoked"] as const) {
        const answer = await guarded.ask(anyOf(route), shown[who]);
        const told = { route, who, status: answer.statusCode, code: answer.json()["code"] };
        expect(told).toEqual({ route, who, status: 401, code: codes[who] });
      }
    }
  });

  it("let each role ask for what is its own or less, and for nothing more", async () => {
    const guarded = await openGuarded(ledger());
    for (const role of ROLES) {
      const { secret } = await guarded.makeToken(role);
      for (const [route, least] of ROUTES) {
        const may = ROLES.indexOf(role) >= ROLES.indexOf(least);
        const answer = await guarded.ask(anyOf(route), secret);
        const refusal = answer.statusCode === 401 || answer.statusCode === 403 ? answer.json() : undefined;
        const told = { route, role, code: refusal?.["code"], needed: refusal?.["role"] };
        const expected = may
          ? { route, role, code: undefined, needed: undefined }
          : { route, role, code: "role_needed", needed: least };
        expect(told).toEqual(expected);
      }
    }
    await goOn(guarded);
  });

  it("keep a token of one brand from what is another's, at every route, and let it have its own", async () => {
    const world = await openWorld(ledger());
    const other = await world.makeToken("admin", { brands: ["other"] });
    const own = await world.makeToken("admin", { brands: ["default"] });
    for (const [route, , answer] of ROUTES) {
      const { statusCode, body } = await world.ask(world.requestFor(route), other.secret);
      const isRefused = statusCode === 401 || statusCode === 403 || statusCode === 404;
      const told = { route, status: isRefused ? statusCode : "same", body };
      expect(told).toEqual({ route, status: answer, body });
      for (const canary of world.canaries) expect(body, route).not.toContain(canary);
    }
    const { items } = (await world.ask({ url: "/v1/audit", query: { actor: `token:${other.name}` } })).json<{
      items: unknown[];
    }>();
    expect(items).toEqual([]);
    // Unasked for, the audit of a brand is its own: nothing of another, and nothing that is of none.
    const audit = async (secret: string) =>
      (await world.ask({ url: "/v1/audit" }, secret)).json<{
        items: { detail: object; campaign_id: unknown }[];
      }>();
    expect((await audit(other.secret)).items).toEqual([]);
    const ownEntries = (await audit(own.secret)).items;
    expect(ownEntries.length).toBeGreaterThan(0);
    for (const entry of ownEntries)
      expect(entry.campaign_id !== null || Reflect.get(entry.detail, "brand") === "default").toBe(true);
    for (const [route, , answer] of ROUTES) {
      const { statusCode, body } = await world.ask(world.requestFor(route), own.secret);
      const isOfAll = ROUTE_ACCESS[route]?.brand === "every";
      const told = { route, isRefused: statusCode === 403, body };
      expect(told).toEqual({ route, isRefused: isOfAll, body });
      if (answer === 404 && !body.includes(NO_SOUND)) expect(statusCode, `${route}: ${body}`).not.toBe(404);
    }
  });
});

/** Of a call that is theirs, at a platform that kept nothing of it. */
const NO_SOUND = "the platform has no recording of this call";

async function goOn({ ask }: Guarded): Promise<void> {
  await ask({ method: "POST", url: "/v1/go-on", payload: { reason: "the test is over" } });
}
