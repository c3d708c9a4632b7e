import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";

import { createSandbox } from "../../src/sandbox/sandbox.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { sized } from "../support/long.ts";
import { ask, CALLER_ID, phone, PUBLISHED_AGENT } from "./support.ts";

interface List {
  /** The field with the id of a record. */
  readonly id: string;
  readonly add: (sandbox: Sandbox, nth: number) => Promise<unknown>;
}

/** Lists under which records are added while somebody reads them. */
const LISTS: Record<string, List> = {
  "/v1/agents": {
    id: "agent_id",
    add: (sandbox, nth) => ask(sandbox, "POST", "/v1/agents", { name: `agent ${nth}` }),
  },
  "/v1/phone-numbers": {
    id: "phone_number_id",
    add: (sandbox, nth) => ask(sandbox, "POST", "/v1/phone-numbers", { phone_number: phone(nth) }),
  },
  "/v1/batch-calls": {
    id: "batch_call_id",
    add: (sandbox, nth) =>
      ask(sandbox, "POST", "/v1/batch-calls", {
        agent_id: PUBLISHED_AGENT,
        from_number: CALLER_ID,
        contacts: [{ phone_number: phone(nth) }],
      }),
  },
  "/v1/calls": {
    id: "call_id",
    add: (sandbox, nth) =>
      ask(sandbox, "POST", "/v1/calls/phone", {
        agent_id: PUBLISHED_AGENT,
        from_number: CALLER_ID,
        to_number: phone(nth),
      }),
  },
};

const page = z.object({ items: z.array(z.record(z.string(), z.unknown())), total: z.int() });

async function readPage(sandbox: Sandbox, list: string, skip: number, limit: number): Promise<string[]> {
  const { body } = await ask(sandbox, "GET", `${list}?skip=${skip}&limit=${limit}`);
  return page.parse(body).items.map((row) => String(row[LISTS[list]?.id ?? ""]));
}

test("pages neither lose nor repeat a record, whatever is added while they are read", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(LISTS)),
      fc.integer({ min: 0, max: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 8, maxLength: 8 }),
      async (list, before, limit, additions) => {
        const sandbox = await createSandbox({ speed: 1 });
        try {
          let nth = 0;
          const add = async () => {
            nth += 1;
            await LISTS[list]?.add(sandbox, nth);
          };
          for (let index = 0; index < before; index += 1) {
            await add();
          }
          const atStart = await readPage(sandbox, list, 0, 1_000);
          const read: string[] = [];
          for (let pages = 0; ; pages += 1) {
            const rows = await readPage(sandbox, list, read.length, limit);
            read.push(...rows);
            // As the contract says: until fewer than `limit` come back.
            if (rows.length < limit) {
              break;
            }
            for (let index = 0; index < (additions[pages] ?? 0); index += 1) {
              await add();
            }
          }
          expect(new Set(read).size).toBe(read.length);
          expect(read.slice(0, atStart.length)).toEqual(atStart);
          expect(read).toEqual((await readPage(sandbox, list, 0, 1_000)).slice(0, read.length));
        } finally {
          await sandbox.close();
        }
      },
    ),
    // Each run has a sandbox of its own.
    { numRuns: sized({ short: 8, long: 100 }) },
  );
});
