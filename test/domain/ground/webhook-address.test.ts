import { describe, expect, it } from "vitest";

import { secretAddressSchema, webhookSchema } from "../../../src/domain/ground/webhook-address.ts";

const isReceiver = (url: unknown) => webhookSchema.safeParse({ url, secret: "crm" }).success;

describe("a receiver of signed requests", () => {
  it.each(["https://crm.example.com/hook", "http://10.0.0.7:8080/", { secret: "address" }])(
    "is named by %j",
    (url) => {
      expect(isReceiver(url)).toBe(true);
    },
  );

  it.each([
    "ftp://crm.example.com/",
    "httpsx://crm.example.com/",
    "xhttps://crm.example.com/",
    "javascript:alert(1)",
    "crm.example.com",
    "",
    { secret: "address", beside: 1 },
    { secret: "No name" },
    {},
    7,
  ])("is not named by %j", (url) => {
    expect(isReceiver(url)).toBe(false);
  });

  it("has an address of 2,000 characters at most", () => {
    const address = (length: number) => `https://crm.example.com/`.padEnd(length, "a");
    expect([isReceiver(address(2_000)), isReceiver(address(2_001))]).toEqual([true, false]);
  });

  it("is signed for, and nothing else is said of it", () => {
    const url = "https://crm.example.com/hook";
    expect(webhookSchema.safeParse({ url }).success).toBe(false);
    expect(webhookSchema.safeParse({ url, secret: "crm", headers: {} }).success).toBe(false);
    expect(secretAddressSchema.safeParse({}).success).toBe(false);
  });
});
