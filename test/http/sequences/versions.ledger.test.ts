import { expect, it } from "vitest";

import { describeSomeLedger } from "../../support/ledgers.ts";
import { openApi, openSandbox, specOf, type TestApi } from "../support.ts";

interface Checked {
  ok: boolean;
  problems: { field: string; message: string }[];
}

describeSomeLedger("a sequence that several people edit", (ledger) => {
  const open = async () => openApi(ledger(), { platform: (await openSandbox()).platform });
  const definitionOf = (waits: string): Record<string, unknown> => {
    const { concurrency: _concurrency, ...campaign } = specOf();
    return { ...campaign, steps: [{ id: "pause", wait: { for: waits } }] };
  };
  const put = (api: TestApi, definition: unknown, version?: number) =>
    api.app.inject({
      method: "PUT",
      url: "/v1/sequences",
      payload: { definition, ...(version !== undefined && { if_version: version }) },
    });
  const check = async (api: TestApi, definition: unknown) => {
    const answer = await api.app.inject({
      method: "POST",
      url: "/v1/sequences/check",
      payload: { definition },
    });
    expect(answer.statusCode).toBe(200);
    return answer.json<Checked>();
  };

  it("is written over by nobody who read an older version of it", async () => {
    const api = await open();
    const first = definitionOf("1d");
    const asked = await put(api, first, 3);
    expect([asked.statusCode, asked.json<{ detail: string }>().detail]).toEqual([
      409,
      expect.stringContaining("no version 3 of it"),
    ]);
    expect((await put(api, first, 0)).json()).toMatchObject({ version: 1, result: "created" });
    const changed = { ...first, steps: [{ id: "pause", wait: { for: "2d" } }] };
    expect((await put(api, changed, 1)).json()).toMatchObject({ version: 2, result: "new_version" });
    const late = { ...first, steps: [{ id: "pause", wait: { for: "3d" } }] };
    for (const version of [0, 1, 3]) {
      const refused = await put(api, late, version);
      expect([refused.statusCode, refused.json<{ detail: string }>().detail]).toEqual([
        409,
        expect.stringContaining(`version 2 of sequence ${JSON.stringify(first["name"])}`),
      ]);
    }
    // What is there already is written over nothing.
    expect((await put(api, changed, 1)).json()).toMatchObject({ version: 2, result: "same" });
    const { definition, version } = (
      await api.app.inject(`/v1/sequences/${encodeURIComponent(String(first["name"]))}`)
    ).json<{ definition: { steps: unknown }; version: number }>();
    expect([version, definition.steps]).toEqual([2, changed.steps]);
  });

  it("is drawn as it is now, and as it was for whoever began under an older version", async () => {
    const api = await open();
    const first = definitionOf("1d");
    await put(api, first);
    await put(api, { ...first, steps: [{ id: "pause", wait: { for: "2d" } }] });
    const draw = (query: string) =>
      api.app.inject(`/v1/sequences/${encodeURIComponent(String(first["name"]))}/diagram${query}`);
    expect((await draw("")).body).toContain("wait 2d");
    expect((await draw("?version=1")).body).toContain("wait 1d");
    const none = await draw("?version=3");
    expect([none.statusCode, none.json<{ detail: string }>().detail]).toEqual([
      404,
      expect.stringContaining("has no version 3: its newest is 2"),
    ]);
  });

  it("says all that is wrong with a definition before it is put, and writes nothing", async () => {
    const api = await open();
    const definition = definitionOf("1d");
    expect(await check(api, definition)).toMatchObject({ ok: true, problems: [] });
    const wrong = {
      ...definition,
      steps: [
        { id: "pause", wait: { for: "soon" }, next: "nowhere" },
        { id: "end", exit: {} },
      ],
    };
    const { ok, problems } = await check(api, wrong);
    expect(ok).toBe(false);
    expect(problems.map(({ field }) => field)).toEqual(
      expect.arrayContaining(["steps[0].wait.for", "steps[0].next", "steps[1].exit.outcome"]),
    );
    expect(await check(api, "no document")).toMatchObject({ ok: false });
    const refused = await put(api, wrong);
    expect(refused.json<{ errors: unknown }>().errors).toEqual(problems);
    const there = await api.app.inject(`/v1/sequences/${encodeURIComponent(String(definition["name"]))}`);
    expect(there.statusCode).toBe(404);
  });
});
