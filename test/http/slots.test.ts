import { expect, it } from "vitest";

import { createSlots } from "../../src/http/slots.ts";

it("so much is done at once, who comes meanwhile is told to come again, and a place is free after a failure, too", async () => {
  const slots = createSlots(1, "one is looked at");
  let finish: (word: string) => void = () => {};
  const first = slots(
    () =>
      new Promise<string>((resolve) => {
        finish = resolve;
      }),
  );
  await expect(slots(async () => "no")).rejects.toMatchObject({ status: 503, code: "busy" });
  finish("done");
  expect(await first).toBe("done");
  await expect(slots(() => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(await slots(async () => "again")).toBe("again");
});
