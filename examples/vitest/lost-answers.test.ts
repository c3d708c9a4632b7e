// What a program does when the platform fails it: `npm install --save-dev vitest`, then `npx vitest`.
import { createPlatform, PlatformError } from "outdial/platform";
import { startSandbox } from "outdial/sandbox";
import { afterAll, afterEach, expect, test } from "vitest";

const sandbox = await startSandbox({ seed: 7, speed: 1_000 });
const platform = createPlatform(sandbox);
afterEach(() => sandbox.faults.clear());
afterAll(async () => {
  await platform.close();
  await sandbox.close();
});

/** What is tested: calls once, and says whether the customer may have been called. */
async function remind(phone: string): Promise<"called" | "maybe" | "not called"> {
  try {
    await platform.calls.phone({
      agent_id: sandbox.agentId,
      from_number: sandbox.fromNumbers[0] ?? "",
      to_number: phone,
    });
    return "called";
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return error.effect === "may_have_happened" ? "maybe" : "not called";
  }
}

test("a call whose answer was lost is not placed again", async () => {
  const fault = sandbox.faults.add({ kind: "drop_after", route: "POST /v1/calls/phone", times: 1 });
  expect(await remind("+12125550145")).toBe("maybe");
  expect(sandbox.faults.list()).toMatchObject([{ id: fault.id, hits: 1, remaining: 0 }]);
  expect(sandbox.dials().map(({ phone }) => phone)).toEqual(["+12125550145"]);
  expect(sandbox.requests()["POST /v1/calls/phone"]?.requests).toBe(1);
});

test("one that was refused was not placed", async () => {
  sandbox.faults.add({ kind: "status", route: "POST /v1/calls/phone", status: 429, retry_after: "2" });
  expect(await remind("+12125550146")).toBe("not called");
  expect(sandbox.dials().filter(({ phone }) => phone === "+12125550146")).toEqual([]);
});
