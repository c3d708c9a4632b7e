import { expect, test } from "vitest";

import { envelopeOf, messageResponse } from "../../src/sandbox/schemas/page.ts";
import { phoneNumberDetailResponse, phoneNumberResponse } from "../../src/sandbox/schemas/phone-numbers.ts";
import { DRAFT_AGENT, get, openSandbox, PUBLISHED_AGENT, refusal } from "./support.ts";

test("the seed owns three numbers", async () => {
  const sandbox = await openSandbox();
  const page = await get(envelopeOf(phoneNumberResponse), sandbox, "GET", "/v1/phone-numbers");
  expect(page.items.map((number) => number.phone_number)).toEqual([
    "+12025550100",
    "+12025550101",
    "+442071838750",
  ]);
});

test("a number is registered once, changed, and deleted", async () => {
  const sandbox = await openSandbox();
  const created = await get(phoneNumberResponse, sandbox, "POST", "/v1/phone-numbers", {
    phone_number: "+4930123456",
    nickname: "Berlin",
    outbound_agent_id: PUBLISHED_AGENT,
  });
  expect(created).toMatchObject({ nickname: "Berlin", provider: "custom", status: "active" });
  const twice = await refusal(sandbox, "POST", "/v1/phone-numbers", { phone_number: "4930123456" });
  expect(twice.status).toBe(409);

  const path = `/v1/phone-numbers/${created.phone_number_id}`;
  const patched = await get(phoneNumberDetailResponse, sandbox, "PATCH", path, {
    nickname: null,
    inbound_agent_id: DRAFT_AGENT,
    allowed_outbound_countries: ["DE"],
  });
  expect(patched).toMatchObject({
    nickname: null,
    inbound_agent_name: "Renewal assistant, next version",
    outbound_agent_id: PUBLISHED_AGENT,
    allowed_inbound_countries: ["*"],
    allowed_outbound_countries: ["DE"],
  });
  await get(messageResponse, sandbox, "DELETE", path);
  expect((await refusal(sandbox, "GET", path)).status).toBe(404);
  await get(phoneNumberResponse, sandbox, "POST", "/v1/phone-numbers", { phone_number: "+4930123456" });
});

test("a number that is none, or linked to an agent that is not there, is refused", async () => {
  const sandbox = await openSandbox();
  const wrong = await refusal(sandbox, "POST", "/v1/phone-numbers", { phone_number: "0301234" });
  expect(wrong).toMatchObject({ status: 422, detail: [{ loc: ["body", "phone_number"] }] });
  const stray = { phone_number: "+4930123456", inbound_agent_id: "33333333-3333-4333-8333-333333333333" };
  expect((await refusal(sandbox, "POST", "/v1/phone-numbers", stray)).status).toBe(404);
});
