import { expect, it } from "vitest";

import { hasRole } from "../../../src/domain/ground/access.ts";
import { ROUTE_ACCESS } from "../../../src/http/route-access.ts";
import { untilTold } from "../../ledger/support/told.ts";
import { describeSomeLedger } from "../../support/ledgers.ts";
import { openWorld } from "./support.ts";

const VIEWER = { kind: "token", name: "viewer", role: "viewer", brands: undefined } as const;

describeSomeLedger("a viewer", (ledger) => {
  it("is told no number and no variable, by whatever route, and everything else", async () => {
    const world = await openWorld(ledger());
    const { secret } = await world.makeToken("viewer");
    // The two are compared: an event must not come into the feed between them.
    await untilTold(ledger());
    const theirs = Object.entries(ROUTE_ACCESS).flatMap(([route, { role }]) =>
      role !== undefined && hasRole(VIEWER, role) ? [route] : [],
    );
    const reading = theirs.filter((route) => route.startsWith("GET "));
    expect(theirs.filter((route) => !reading.includes(route))).toEqual(["DELETE /v1/session"]);
    const told = new Map<string, { status: number; body: string; whole: string }>();
    for (const route of reading) {
      if (route === "GET /openapi.json") continue;
      const request = world.requestFor(route);
      const { statusCode: status, body } = await world.ask(request, secret);
      const { body: whole } = await world.ask(request);
      told.set(route, { status, body, whole });
      for (const canary of world.canaries) expect(body, route).not.toContain(canary);
      expect(body, route).not.toContain("alert(1)");
    }
    // Where there was something to mask, it was.
    const masked = [...told].filter(([, { whole }]) => world.canaries.some((one) => whole.includes(one)));
    expect(masked.map(([route]) => route)).toEqual(
      expect.arrayContaining([
        "GET /v1/campaigns/:ref/canary",
        "GET /v1/campaigns/:ref/contacts",
        "GET /v1/campaigns/:ref/contacts/:phone",
        "GET /v1/campaigns/:ref/contacts/:phone/explanation",
        "GET /v1/campaigns/:ref/attempts",
        "GET /v1/campaigns/:ref/calls",
        "GET /v1/campaigns/:ref/batches/:id",
        "GET /v1/contacts",
        "GET /v1/campaigns/:ref/results.csv",
        "GET /v1/follow-ups",
        "GET /v1/people/:phone/story",
        "GET /v1/suppressions",
        "GET /v1/sequences/:ref/enrolments",
        "GET /v1/enrolments/:id",
        "GET /v1/consents",
        "GET /v1/attention",
      ]),
    );
    for (const [route, { status, body, whole }] of masked) {
      expect({ route, status }).toEqual({ route, status: 200 });
      expect(body, route).toMatch(/\+?\d\d\*\*\*\d\d/);
      if (!route.endsWith(".csv")) expect(fieldsOf(JSON.parse(body))).toEqual(fieldsOf(JSON.parse(whole)));
    }
    expect(told.get("GET /v1/campaigns/:ref/results.csv")?.body.split("\n")).toHaveLength(
      told.get("GET /v1/campaigns/:ref/results.csv")?.whole.split("\n").length ?? 0,
    );
  });

  it("is not told a number in a refusal either", async () => {
    const { ask, makeToken } = await openWorld(ledger());
    const { secret } = await makeToken("viewer");
    const answer = await ask({ url: "/v1/people/%2B13055550123/story" }, secret);
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toContain("nothing is known of +13***23");
  });
});

/** Names and ids, which stay as they are; what is hidden has no fields. */
function fieldsOf(value: unknown, name = ""): unknown {
  if (
    ["variables", "data", "raw", "request", "answer", "transcript"].includes(name) ||
    name.startsWith("var_")
  )
    return "hidden";
  if (Array.isArray(value)) return value.map((item) => fieldsOf(item, name));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fieldsOf(inner, key)]));
  // Ids of the platform are made of the number here; its own are of nothing of a person.
  return !String(value).includes("+1") && /(?:^|_)id$|_at$|^at$/.test(name) ? value : typeof value;
}
