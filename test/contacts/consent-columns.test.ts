import { describe, expect, it } from "vitest";

import { openContacts } from "../../src/contacts/read-contacts.ts";
import { readRowOf } from "../../src/contacts/take-list.ts";
import { contactsOf, pieces, rejectsOf, rowsOf } from "./support/rows.ts";

const A = "+12015550123";
const GIVEN = {
  basis: "express_written",
  obtainedAtMs: Date.UTC(2026, 2, 1),
  proof: "form 81",
  expiresAtMs: Date.UTC(2036, 2, 1),
};

describe("columns of consent", () => {
  it("say it in CSV behind a byte order mark, and become no variables", async () => {
    const list = `\uFEFFphone;first_name;Consent Basis;consent_date;consent_reference;consent_expiry\r\n${A};Ann;Express written;2026-03-01;form 81;2036-03-01\r\n+12015550124;Bob;;;;\r\n`;
    const { layout } = await openContacts(pieces(list));
    expect(layout.columns?.map(({ role, variable }) => [role, variable])).toEqual([
      ["phone", undefined],
      ["variable", "first_name"],
      ["consent_basis", undefined],
      ["consent_at", undefined],
      ["consent_proof", undefined],
      ["consent_expires_at", undefined],
    ]);
    const rows = await contactsOf(list);
    expect(rows).toMatchObject([
      { phone: A, variables: { first_name: "Ann" }, consent: GIVEN },
      { variables: { first_name: "Bob" }, consent: undefined },
    ]);
    expect(rows.map((row) => "consent" in readRowOf(row))).toEqual([true, false]);
  });

  it("say it in NDJSON, by their names or those that the mapping gives", async () => {
    const own = `{"phone":"${A}","consent_basis":"express_written","consent_at":"2026-03-01","consent_proof":"form 81","consent_expires_at":"2036-03-01","x":"1"}`;
    expect(await contactsOf(own)).toMatchObject([{ variables: { x: "1" }, consent: GIVEN }]);
    const mapped = `{"phone":"${A}","ground":"express","when":"2026-03-01"}`;
    const map = { consent_basis: "ground", consent_at: "when" };
    expect(await contactsOf(mapped, { map })).toMatchObject([
      { variables: {}, consent: { basis: "express", proof: undefined } },
    ]);
    expect(await contactsOf(`phone,ground,when\n${A},express,2026-03-01\n`, { map })).toMatchObject([
      { variables: {}, consent: { basis: "express" } },
    ]);
  });

  it.each([
    ["yes,2026-03-01,,", "consent_basis"],
    [",2026-03-01,,", "consent_basis is empty"],
    ["express,,,", "consent_at is empty"],
    ["express,03/01/2026,,", "consent_at"],
    ["express,2999-01-01,,", "is to come"],
    ["express,2026-03-01,,2026-02-01", "consent_expires_at"],
  ])("reject a row that says %j, with its line and why", async (cells, why) => {
    const list = `phone,consent_basis,consent_at,consent_proof,consent_expires_at\n${A},express,2026-03-01,,\n+12015550124,${cells}\n`;
    expect(await rejectsOf(list)).toMatchObject([
      { line: 3, code: "consent_invalid", reason: expect.stringContaining(why) },
    ]);
    expect((await rowsOf(list)).filter(({ kind }) => kind === "contact")).toHaveLength(1);
  });
});
