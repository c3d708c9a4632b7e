import { expect, it } from "vitest";

import { addTag } from "../../../src/ledger/campaigns/tags.ts";
import { describeSomeLedger } from "../../support/ledgers.ts";
import { createCampaign, csvOf, openApi, openSandbox, phonesFrom, upload } from "../support.ts";

describeSomeLedger("tags over HTTP", (ledger) => {
  it("are listed by number and word, page by page, stand in results, and are taken back by people", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const [first = "", second = "", other = ""] = phonesFrom(5_100, 3);
    const id = await createCampaign(api);
    await upload(api, id, csvOf([first, second]));
    const results = async () =>
      (await api.app.inject({ url: `/v1/campaigns/${id}/results.csv` })).body.split(/\r?\n/);
    expect((await results())[0]).not.toContain("tags");

    for (const [brand, phone, tag] of [
      ["default", first, "wrong number"],
      ["default", first, "reminded"],
      ["default", other, "reminded"],
    ] as const) {
      const given = { brand, phone, tag, source: "follow-up a", nowMs: Date.now() };
      await ledger().transaction((tx) => addTag(tx, given));
    }
    const list = async (query: string) =>
      (await api.app.inject({ url: `/v1/tags?${query}` })).json<{
        items: { phone: string; tag: string }[];
        total: number;
        next_after: string | null;
      }>();
    const page = await list("limit=2");
    expect(page).toMatchObject({
      items: [
        { phone: first, tag: "reminded", source: "follow-up a" },
        { phone: first, tag: "wrong number" },
      ],
      total: 3,
    });
    expect((await list(`limit=2&after=${encodeURIComponent(page.next_after ?? "")}`)).items).toMatchObject([
      { phone: other, tag: "reminded" },
    ]);
    expect(await list(`tag=reminded&phone=${encodeURIComponent(first)}`)).toMatchObject({ total: 1 });
    expect(await list("brand=acme")).toMatchObject({ items: [], total: 0, next_after: null });

    const [header = "", ...lines] = await results();
    const column = header.split(",").indexOf("tags");
    expect(lines.slice(0, 2).map((line) => line.split(",")[column])).toEqual([
      '"reminded; wrong number"',
      "",
    ]);

    const remove = () =>
      api.app.inject({
        method: "DELETE",
        url: "/v1/tags",
        payload: { phone: first, tag: "reminded", reason: "mistake" },
      });
    expect((await remove()).json()).toEqual({ phone: first, tag: "reminded", removed: true });
    const again = await remove();
    expect([again.statusCode, again.json()]).toEqual([404, expect.objectContaining({ code: "unknown_tag" })]);
  });
});
