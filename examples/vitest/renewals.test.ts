// A program that calls people, tested without a phone: `npm install --save-dev vitest`, then `npx vitest`.
import { createPlatform } from "outdial/platform";
import { startSandbox } from "outdial/sandbox";
import { afterAll, expect, test } from "vitest";

const sandbox = await startSandbox({ seed: 7, speed: 1_000 });
const platform = createPlatform(sandbox);
afterAll(() => sandbox.close());

/** What is tested: calls a customer, and says whether there was a conversation. */
async function remind(phone: string): Promise<boolean> {
  const call = await platform.calls.phone({
    agent_id: sandbox.agentId,
    from_number: sandbox.fromNumbers[0] ?? "",
    to_number: phone,
  });
  const ended = await platform.calls.waitUntilEnded(call.call_id, { everyMs: 20 });
  return (ended.duration_seconds ?? 0) > 0;
}

test("a customer who answers is spoken with", async () => {
  sandbox.answer("+12125550143", "answered");
  expect(await remind("+12125550143")).toBe(true);
});

test("one whose line is busy is not, and is called once", async () => {
  sandbox.answer("+12125550144", "busy");
  expect(await remind("+12125550144")).toBe(false);
  expect(sandbox.dials().filter(({ phone }) => phone === "+12125550144")).toHaveLength(1);
});
