import { expect, it } from "vitest";

import { raiseAttention } from "../../src/ledger/ground/attention.ts";
import { putOutbox } from "../../src/ledger/ground/outbox.ts";
import { withLedger } from "../support/ledgers.ts";
import { openApi } from "./support.ts";

withLedger((ledger) => {
  it("lists what waits for a person, and takes an entry off with a reason", async () => {
    const api = await openApi(ledger());
    for (const subject of ["one", "two"]) {
      await raiseAttention(ledger().db, {
        kind: "delivery_failed",
        subject,
        brand: "default",
        summary: "no such sequence",
        remedy: "put the sequence, then retry the delivery",
        nowMs: Date.now(),
      });
    }
    const page = await api.app.inject({ url: "/v1/attention", query: { limit: "1" } });
    expect(page.json()).toMatchObject({
      total: 2,
      items: [{ kind: "delivery_failed", subject: "one", times: 1, resolved_at: null }],
    });
    const { items, next_after: after } = page.json<{ items: { id: number }[]; next_after: string }>();
    const next = items[0]?.id ?? 0;
    const rest = await api.app.inject({ url: "/v1/attention", query: { limit: "1", after } });
    expect(rest.json()).toMatchObject({ items: [{ subject: "two" }], next_after: null });

    const resolve = (id: number, payload: object) =>
      api.app.inject({ method: "POST", url: `/v1/attention/${id}/resolve`, payload });
    expect((await resolve(next, {})).statusCode).toBe(422);
    for (const reason of ["  ", "a\u0000b", "\u001b[2J", "two\nlines"])
      expect((await resolve(next, { reason })).statusCode, JSON.stringify(reason)).toBe(422);
    const nowhere = await api.app.inject({
      method: "POST",
      url: "/v1/attention/x/resolve",
      payload: { reason: "x" },
    });
    expect(nowhere.json<{ detail: string }>().detail).toContain("must be the number of an entry");
    expect((await resolve(next, { reason: "sent by hand" })).json()).toMatchObject({
      resolution: "sent by hand",
    });
    expect((await resolve(999_999, { reason: "x" })).json()).toMatchObject({ code: "unknown_attention" });

    const system = await api.app.inject({ url: "/v1/system" });
    expect(system.json()).toMatchObject({
      attention: { delivery_failed: 1 },
      outbox: [],
      last_sweep: null,
    });
  });

  it("tells what waits to be handed on, and sweeps when it is asked to", async () => {
    const report = { atMs: Date.now(), found: 2, settled: 1, detail: { calls_up: 2, calls_up_settled: 1 } };
    const api = await openApi(ledger(), { sweep: async () => report });
    await ledger().transaction((tx) =>
      putOutbox(tx, [{ kind: "enrolment", subject: "a", dueAtMs: Date.now() }]),
    );
    expect((await api.app.inject({ url: "/v1/system" })).json()).toMatchObject({
      outbox: [{ kind: "enrolment", waiting: 1, failing: 0 }],
    });
    const swept = await api.app.inject({ method: "POST", url: "/v1/sweep", payload: {} });
    expect(swept.json()).toMatchObject({ found: 2, settled: 1, detail: report.detail });
  });
});
