import { describe, expect, it } from "vitest";
import { z } from "zod";

import {
  BESIDE_OTHERS,
  fieldsOf,
  readBySchema,
  withoutLiteralSecrets,
} from "../../../src/domain/ground/definition-reading.ts";

const CALLED = { whole: "the thing", kind: "a thing" };
const SCHEMA = z.strictObject({ name: z.string(), size: z.number().default(3) });

const fieldsIn = (reading: { ok: true } | { ok: false; problems: readonly { field: string }[] }) =>
  reading.ok ? [] : reading.problems.map(({ field }) => field);

describe("a definition", () => {
  it("is read with its defaults", () => {
    expect(readBySchema(SCHEMA, { name: "a" }, CALLED)).toEqual({
      ok: true,
      definition: { name: "a", size: 3 },
    });
  });

  it("is told all that is wrong with it: field by field, and what its fields say to each other", () => {
    const contradictions = (fields: Readonly<Record<string, unknown>>) =>
      fields["size"] === 9 ? [{ field: "size", problem: "is too much for that name" }] : [];
    const read = (value: unknown) => readBySchema(SCHEMA, value, CALLED, contradictions);
    expect(fieldsIn(read({ name: "a", size: 9 }))).toEqual(["size"]);
    expect(fieldsIn(read({ name: 1, size: 9 })).toSorted()).toEqual(["name", "size"]);
    expect(read({ name: "a", size: 8 })).toMatchObject({ ok: true });
    for (const value of [undefined, null, 7, "size"]) expect(fieldsIn(read(value))).toEqual(["the thing"]);
  });

  it("is told so in words of ours", () => {
    expect(readBySchema(SCHEMA, { name: 7 }, CALLED)).toEqual({
      ok: false,
      problems: [{ field: "name", problem: expect.stringMatching(/^must be (?:a )?text/) }],
    });
  });

  it("has the fields of a group, and of nothing else", () => {
    expect(fieldsOf({ a: 1 })).toEqual({ a: 1 });
    for (const value of [null, undefined, 7, "text"]) expect(fieldsOf(value)).toEqual({});
  });

  it("with a secret's value in it is refused, beside all else that is wrong with it", () => {
    const literal = { webhook: { secret: "sk_live_4f9a8b7c6d5e4f3a2b1c" } };
    const read = { ok: true, definition: {} } as const;
    const refused = { ok: false as const, problems: [{ field: "name", problem: "is missing" }] };
    expect(withoutLiteralSecrets({ webhook: { secret: "crm" } }, read)).toBe(read);
    expect(withoutLiteralSecrets({}, refused)).toBe(refused);
    expect(fieldsIn(withoutLiteralSecrets(literal, read))).toEqual(["webhook.secret"]);
    expect(fieldsIn(withoutLiteralSecrets(literal, refused))).toEqual(["name", "webhook.secret"]);
  });

  it("is asked about as a whole beside its fields, wherever it is a group", () => {
    const schema = SCHEMA.refine(() => false, { message: "never", path: ["together"], ...BESIDE_OTHERS });
    const told = (value: unknown) => fieldsIn(readBySchema(schema, value, CALLED));
    expect(told({ name: 1 }).toSorted()).toEqual(["name", "together"]);
    for (const value of [null, 7, [1]]) expect(told(value)).toEqual(["the thing"]);
  });
});
