import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseAllowList } from "../../src/outbound/allow-list.ts";
import { createOutbound } from "../../src/outbound/client.ts";
import { OutboundRefusedError } from "../../src/outbound/errors.ts";
import { checkDestination } from "../../src/outbound/guard.ts";

const nothing = parseAllowList([]);

function allowed(address: string, entries: readonly string[] = [], host = "receiver.example"): boolean {
  try {
    checkDestination(parseAllowList(entries), { protocol: "https:", host, addresses: [address] });
    return true;
  } catch (error) {
    if (error instanceof OutboundRefusedError) return false;
    throw error;
  }
}

describe("addresses", () => {
  it.each([
    "1.1.1.1",
    "93.184.215.14",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "223.255.255.255",
    "2606:2800:21f:cb07:6820:80da:af6b:8b2c",
    "2a00:1450:4001:80e::200e",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
  ])("%s is public", (address) => {
    expect(allowed(address)).toBe(true);
  });

  it.each([
    ["this network", "0.0.0.0", "0.1.2.3"],
    ["private", "10.0.0.0", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.255.255"],
    ["a provider's", "100.64.0.0", "100.127.255.255"],
    ["loopback", "127.0.0.1", "127.255.255.254", "::1"],
    ["link-local", "169.254.169.254", "169.254.0.0", "fe80::1", "fe80::1%eth0", "febf::1"],
    ["assigned to protocols", "192.0.0.1", "192.88.99.1", "192.52.193.1", "192.31.196.1", "192.175.48.1"],
    ["documentation", "192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
    ["benchmarks", "198.18.0.1", "198.19.255.255", "2001:2::1"],
    ["multicast", "224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"],
    ["reserved", "240.0.0.1", "255.255.255.255", "4000::1", "5f00::1", "e000::1", "100::1", "::2"],
    ["unspecified", "::"],
    ["unique local", "fc00::1", "fdff:ffff::1"],
    ["site-local", "fec0::1"],
    ["6to4", "2002:7f00:1::", "2002:808:808::1"],
    ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    ["ORCHID", "2001:10::1", "2001:20::1"],
    ["IPv4 in IPv6", "::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "::127.0.0.1", "::8.8.8.8", "::ffff:0:8.8.8.8"],
    ["IPv4 behind NAT64", "64:ff9b::10.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::8.8.8.8"],
    ["no address", "", "localhost", "1.2.3", "1.2.3.4.5"],
  ])("of %s are refused", (_what, ...addresses) => {
    expect(addresses.filter((address) => allowed(address))).toEqual([]);
  });
});

describe("the allow list", () => {
  it.each([
    ["10.0.0.0/8", "10.20.30.40", true],
    ["10.0.0.0/8", "11.0.0.1", true],
    ["10.0.0.0/8", "192.168.0.1", false],
    ["fd00::/8", "fd12::1", true],
    ["[fd12::1]", "fd12::1", true],
    ["169.254.1.1", "169.254.1.1", true],
    ["receiver.example", "10.0.0.1", true],
    ["RECEIVER.example.", "::1", true],
    ["receiver.example", "169.254.169.254", false],
    ["receiver.example", "224.0.0.1", false],
    ["other.example", "10.0.0.1", false],
    ["example", "10.0.0.1", false],
  ])("%s and %s: %s", (entry, address, is) => {
    expect(allowed(address, [entry])).toBe(is);
  });

  it("knows names outside ASCII as DNS writes them", () => {
    expect(allowed("10.0.0.1", ["bücher.example"], "xn--bcher-kva.example")).toBe(true);
  });

  it.each([
    "http://n8n.internal",
    "n8n.internal:5678",
    "*.internal",
    "10.0.0.0/33",
    "10.0.0.0/8/8",
    "10.0.0.0/",
    "n8n.internal/24",
    "fe80::1%eth0",
    "127.1",
    "0x7f000001",
    "a b",
    "",
  ])("refuses the entry %s, by its name", (entry) => {
    expect(() => parseAllowList([entry])).toThrow(`"${entry}"`);
  });
});

/** Every way to write an IPv4 address that some program reads. */
const NOTATIONS: readonly ((bytes: readonly number[]) => string)[] = [
  ([a, b, c, d]) => `${a}.${b}.${c}.${d}`,
  ([a, b, c, d]) => `${a}.${b}.${c}.${d}.`,
  (bytes) => String(whole(bytes)),
  (bytes) => `0x${whole(bytes).toString(16)}`,
  (bytes) => `0X${whole(bytes).toString(16).toUpperCase()}`,
  (bytes) => `0${whole(bytes).toString(8)}`,
  (bytes) => bytes.map((byte) => `0${byte.toString(8)}`).join("."),
  (bytes) => bytes.map((byte) => `0x${byte.toString(16)}`).join("."),
  ([a = 0, b = 0, c = 0, d = 0]) => `${a}.${b * 65_536 + c * 256 + d}`,
  ([a = 0, b = 0, c = 0, d = 0]) => `0${a.toString(8)}.0x${b.toString(16)}.${c * 256 + d}`,
  ([a, b, c, d]) => `%3${String(a).split("").join("%3")}.${b}.${c}.${d}`,
  (bytes) => fullWidth(bytes.join(".")),
  (bytes) => bytes.join("\u3002"),
  ([a, b, c, d]) => `[::ffff:${a}.${b}.${c}.${d}]`,
  (bytes) => `[::FFFF:${hexPairs(bytes)}]`,
  (bytes) => `[0:0:0:0:0:ffff:${hexPairs(bytes)}]`,
  ([a, b, c, d]) => `[::${a}.${b}.${c}.${d}]`,
  (bytes) => `[64:ff9b::${hexPairs(bytes)}]`,
  (bytes) => `[2002:${hexPairs(bytes)}::1]`,
];

const whole = (bytes: readonly number[]) => bytes.reduce((sum, byte) => sum * 256 + byte, 0);
const fullWidth = (text: string) =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const hexPairs = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]) =>
  `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;

const byte = fc.integer({ min: 0, max: 255 });
const inner = fc.oneof(
  fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
  fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
);

describe("an address that is not public", () => {
  it("gets through in no notation", async () => {
    const outbound = createOutbound({
      allow: [],
      lookup: (host) => Promise.reject(new Error(`${host} was taken for a name`)),
    });
    await fc.assert(
      fc.asyncProperty(inner, fc.constantFrom(...NOTATIONS), fc.boolean(), async (bytes, write, tls) => {
        const url = `${tls ? "https" : "http"}://${write(bytes)}:8443/hook`;
        const request = { method: "POST" as const, url, headers: {}, body: "", timeoutMs: 5_000 };
        await expect(outbound.request(request)).rejects.toBeInstanceOf(OutboundRefusedError);
      }),
      { numRuns: 400 },
    );
    await outbound.close();
  });

  it("gets through behind no name, alone or among public ones", () => {
    fc.assert(
      fc.property(inner, fc.constantFrom(...NOTATIONS), fc.boolean(), (bytes, write, among) => {
        const address = new URL(`http://${write(bytes)}/`).hostname.replaceAll(/[[\]]/g, "");
        const addresses = among ? ["93.184.215.14", address, "1.1.1.1"] : [address];
        expect(() =>
          checkDestination(nothing, { protocol: "https:", host: "receiver.example", addresses }),
        ).toThrow(OutboundRefusedError);
      }),
      { numRuns: 1_000 },
    );
  });
});
