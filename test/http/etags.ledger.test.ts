import { expect, it } from "vitest";
import { z } from "zod";

import { freshName } from "../support/intake.ts";
import { describeSomeLedger } from "../support/ledgers.ts";
import { openGuarded, triggerOf, type Guarded } from "./access/support.ts";
import { sha256, specOf } from "./support.ts";

/* What is read and then replaced: by which routes, and a first, a second and a third version of it under a name. */

interface Edited {
  shown: string;
  /** The first replaces it in each step below; others may. */
  replaced: readonly [string, ...string[]];
  bodyOf: (name: string, n: number) => unknown;
  /** How it comes to be, where not by being replaced. */
  create?: readonly [route: string, bodyOf: (name: string) => unknown];
}

const definition =
  (of: (name: string, n: number) => Record<string, unknown>) => (name: string, n: number) => ({
    definition: of(name, n),
  });

const webhook = (n: number) => ({ webhook: { url: `https://example.com/${n}`, secret: "crm" } });

const specs = new Map<string, Record<string, unknown>>();
const specCalled = (name: string, n: number) => {
  const spec = specs.get(name) ?? specOf({ name });
  specs.set(name, spec);
  return { spec: { ...spec, concurrency: n } };
};

const EDITED: readonly Edited[] = [
  {
    shown: "GET /v1/campaigns/{ref}",
    replaced: ["POST /v1/campaigns/{ref}/amend"],
    bodyOf: specCalled,
    create: ["POST /v1/campaigns", (name) => specCalled(name, 1)],
  },
  {
    shown: "GET /v1/sequences/{ref}",
    replaced: ["PUT /v1/sequences"],
    bodyOf: definition((name, concurrency) => ({
      name,
      agent_id: "11111111-1111-4111-8111-111111111111",
      from_numbers: ["+12025550100"],
      window: "always",
      concurrency,
      steps: [{ id: "end", exit: { outcome: "done" } }],
    })),
  },
  {
    shown: "GET /v1/triggers/{name}",
    replaced: ["PUT /v1/triggers"],
    bodyOf: definition((name, n) =>
      triggerOf(name, { enroll: { sequence: "any", phone: `item.phone${n}` } }),
    ),
  },
  {
    shown: "GET /v1/schedules/{name}",
    replaced: ["PUT /v1/schedules"],
    bodyOf: definition((name, n) => ({ name, cron: `0 ${n} * * 1-5`, run: { campaign: "any" } })),
  },
  {
    shown: "GET /v1/automations/{name}",
    replaced: ["PUT /v1/automations", "POST /v1/automations/import"],
    bodyOf: definition((name, n) => ({
      name,
      workflow: { nodes: [], settings: { n } },
      trigger_type: "webhook",
    })),
  },
  {
    shown: "GET /v1/suppressions/sources/{name}",
    replaced: ["PUT /v1/suppressions/sources/{name}"],
    bodyOf: (_name, n) => ({ type: "do_not_call", brand: "default", max_age: `${n}d` }),
  },
  {
    shown: "GET /v1/attention/routes/{name}",
    replaced: ["PUT /v1/attention/routes"],
    bodyOf: definition((name, n) => ({ name, to: webhook(n) })),
  },
  {
    shown: "GET /v1/events/webhooks/{name}",
    replaced: ["PUT /v1/events/webhooks"],
    bodyOf: definition((name, n) => ({ name, to: webhook(n) })),
  },
];

const failedSchema = z.object({ code: z.string(), etag: z.string().nullable(), current: z.unknown() });

/** Asks about the thing of one name. */
function about({ ask }: Guarded, edited: Edited, name: string) {
  const to = (route: string) => {
    const [method = "", url = ""] = route.split(" ");
    return { method, url: url.replace(/\{(?:ref|name)\}/, encodeURIComponent(name)) };
  };
  const put = (n: number, headers: Record<string, string> = {}) =>
    ask({ ...to(edited.replaced[0]), payload: edited.bodyOf(name, n), headers });
  return {
    show: (headers: Record<string, string> = {}) => ask({ ...to(edited.shown), headers }),
    put,
    create: async () => {
      const { create } = edited;
      const made = create ? await ask({ ...to(create[0]), payload: create[1](name) }) : await put(1);
      expect(made.statusCode, made.body).toBeLessThan(300);
    },
  };
}

const parameters = z.object({ parameters: z.array(z.object({ $ref: z.string().optional() })) });

describeSomeLedger("a document that two people edit", (ledger) => {
  it("has a tag and heeds it on every route of the table, and the description names no other", async () => {
    const { app } = (await openGuarded(ledger())).api;
    await app.ready();
    const described = (name: string) =>
      Object.entries(app.swagger().paths ?? {}).flatMap(([path, methods]) =>
        Object.entries(methods ?? {}).flatMap(([method, operation]) =>
          parameters
            .parse(operation)
            .parameters.some(({ $ref }) => $ref === `#/components/parameters/${name}`)
            ? [`${method.toUpperCase()} ${path}`]
            : [],
        ),
      );
    expect(described("IfNoneMatch").toSorted()).toEqual(EDITED.map(({ shown }) => shown).toSorted());
    expect(described("IfMatch").toSorted()).toEqual(EDITED.flatMap(({ replaced }) => replaced).toSorted());
  });

  it.each(EDITED)("is replaced only as it was looked at: $shown", async (edited) => {
    const it = about(await openGuarded(ledger()), edited, freshName("edited"));
    const absent = await it.put(1, { "if-match": "*" });
    if (edited.create) expect(absent.statusCode).toBe(404);
    else {
      expect(failedSchema.parse(absent.json())).toEqual({
        code: "precondition_failed",
        etag: null,
        current: null,
      });
      expect((await it.show()).statusCode, "nothing was written").toBe(404);
    }
    await it.create();
    const first = String((await it.show()).headers["etag"]);
    expect(first).toMatch(/^"[\da-f]{24}-[\da-f]{24}"$/);

    const second = await it.put(2, { "if-match": first });
    expect(second.statusCode, second.body).toBe(200);
    const refused = await it.put(3, { "if-match": first });
    expect(refused.statusCode, refused.body).toBe(412);
    const failed = failedSchema.parse(refused.json());
    expect(failed.code).toBe("precondition_failed");
    expect(failed.current).toMatchObject({});
    const now = await it.show();
    expect(String(now.headers["etag"]).startsWith(String(failed.etag).slice(0, -1))).toBe(true);

    // The answer to a change was lost, and it comes again.
    expect((await it.put(2, { "if-match": first })).statusCode).toBe(200);
    const third = await it.put(3, { "if-match": `"another", W/${failed.etag}` });
    expect(third.statusCode, third.body).toBe(200);
    expect((await it.put(4, { "if-match": "*" })).statusCode).toBe(200);
    expect((await it.put(1)).statusCode, "without it as ever").toBe(200);
  });

  it.each(EDITED)("is not sent again to whoever has it: $shown", async (edited) => {
    const it = about(await openGuarded(ledger()), edited, freshName("known"));
    await it.create();
    const { etag, "cache-control": cached } = (await it.show()).headers;
    expect(cached).toBe("private, no-cache");
    const same = await it.show({ "if-none-match": `"older", ${String(etag)}` });
    expect([same.statusCode, same.body, same.headers["etag"]]).toEqual([304, "", etag]);
    expect(same.headers["content-type"]).toBeUndefined();
    await it.put(2);
    const changed = await it.show({ "if-none-match": String(etag) });
    expect(changed.statusCode).toBe(200);
    expect(changed.headers["etag"]).not.toBe(etag);
  });

  it("is one's who comes first, of two who replace it at once", async () => {
    const guarded = await openGuarded(ledger());
    for (const edited of EDITED) {
      const it = about(guarded, edited, freshName("race"));
      await it.create();
      const tag = String((await it.show()).headers["etag"]);
      const answers = await Promise.all([2, 3].map((n) => it.put(n, { "if-match": tag })));
      const statuses = answers.map(({ statusCode }) => statusCode);
      expect(
        statuses.toSorted((one, two) => one - two),
        edited.shown,
      ).toEqual([200, 412]);
    }
  });

  it("may be amended though its counts have moved on, and is sent anew since they have", async () => {
    const guarded = await openGuarded(ledger());
    const [edited] = EDITED;
    if (!edited) throw new Error("no campaign in the table");
    const name = freshName("counts");
    const it = about(guarded, edited, name);
    await it.create();
    const tag = String((await it.show()).headers["etag"]);
    const list = "phone\n+12025550177\n";
    const added = await guarded.ask({
      method: "POST",
      url: `/v1/campaigns/${encodeURIComponent(name)}/contacts`,
      query: { source_name: "one.csv", digest: sha256(list) },
      payload: list,
    });
    expect(added.statusCode, added.body).toBe(200);
    expect((await it.show({ "if-none-match": tag })).statusCode).toBe(200);
    expect((await it.put(2, { "if-match": tag })).statusCode).toBe(200);
  });

  it("is another request under the same key where another tag is named", async () => {
    const guarded = await openGuarded(ledger());
    for (const edited of EDITED) {
      const name = freshName("key");
      const it = about(guarded, edited, name);
      await it.create();
      const key = { "idempotency-key": `etag ${name}` };
      const tag = String((await it.show()).headers["etag"]);
      expect((await it.put(2, { ...key, "if-match": tag })).statusCode).toBe(200);
      const again = await it.put(2, { ...key, "if-match": tag });
      expect([again.statusCode, again.headers["idempotency-replayed"]]).toEqual([200, "true"]);
      const other = await it.put(2, { ...key, "if-match": "*" });
      expect([other.statusCode, other.json()["code"]]).toEqual([409, "idempotency_key_reused"]);
    }
  });

  it("says what is wrong with a header that is no tag", async () => {
    const guarded = await openGuarded(ledger());
    for (const edited of EDITED) {
      const it = about(guarded, edited, freshName("header"));
      await it.create();
      for (const header of ["abc", '"open', "", `${'"a",'.repeat(21)}"b"`]) {
        const refused = await it.put(2, { "if-match": header });
        expect([refused.statusCode, refused.json()["code"]], header).toEqual([422, "invalid_request"]);
      }
    }
  });
});
