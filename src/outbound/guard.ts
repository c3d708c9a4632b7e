/**
 * Decides whether a request may go to an address.
 *
 * G1 The decision is about addresses, and falls when a connection is made, over exactly the addresses that it may
 *    be made to: what a name led to a moment earlier proves nothing.
 * G2 Public unicast addresses alone, unless the allow list says otherwise. What is not known to be public is not.
 * G3 One address that is not allowed refuses the name: a name with such a mixture is a mistake or an attack.
 */
import ipaddr from "ipaddr.js";

import { holdsAddress, readAddress, type AllowList } from "./allow-list.ts";
import { OutboundRefusedError } from "./errors.ts";

/** Words for what an address is, for people. */
const KINDS: Readonly<Record<string, string>> = {
  loopback: "this machine itself",
  private: "in a private network",
  uniqueLocal: "in a private network",
  carrierGradeNat: "in a provider's inner network",
  linkLocal: "link-local, where clouds keep their machines' credentials",
  unspecified: "unspecified, which can be this machine itself",
  broadcast: "a broadcast address",
  multicast: "a multicast address",
};

/** Kinds that a host may have because its name is allowed. Others have to be allowed as addresses. */
const BY_NAME: ReadonlySet<string> = new Set(["loopback", "private", "uniqueLocal", "carrierGradeNat"]);

const PUBLIC = "public";

/** What one part of IPv6 is routed on the internet; ranges that are special within it are taken out below. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/** The well-known prefix of NAT64 (RFC 6052), through which networks without IPv4 reach all of it. */
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("64:ff9b::"), 96];

function kindOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  const range = address.range();
  if (address instanceof ipaddr.IPv4) return range === "unicast" ? PUBLIC : range;
  if (address.match(NAT64)) return kindOf(new ipaddr.IPv4(address.toByteArray().slice(12)));
  if (range !== "unicast") return range;
  return address.match(GLOBAL_UNICAST) ? PUBLIC : "reserved";
}

export interface Destination {
  protocol: string;
  /** A name or an address, as the URL has it. */
  host: string;
  /** What the host is, or what its name leads to: all that a connection may be made to. */
  addresses: readonly string[];
}

/** @throws OutboundRefusedError where any of the addresses must not be connected to. */
export function checkDestination(allow: AllowList, { protocol, host, addresses }: Destination): void {
  const named = allow.hosts.has(host.toLowerCase().replace(/\.$/, ""));
  for (const text of addresses) {
    const address = readAddress(text);
    const listed = address !== undefined && holdsAddress(allow, address);
    if (listed) continue;
    const kind = address === undefined ? "unreadable" : kindOf(address);
    if (kind !== PUBLIC && !(named && BY_NAME.has(kind))) throw refusedAddress(host, text, kind, named);
    if (protocol !== "https:" && !named) {
      throw new OutboundRefusedError(
        host,
        text,
        `${host} must be reached by https: what is sent by http can be read and changed on its way. Use https, or add ${host} to OUTDIAL_OUTBOUND_ALLOW`,
      );
    }
  }
}

function refusedAddress(host: string, address: string, kind: string, named: boolean): OutboundRefusedError {
  const lead = host === address ? host : `${host} leads to ${address}, which`;
  const what = KINDS[kind] ?? "not a public address";
  const add = BY_NAME.has(kind) && !named && host !== address ? `${host} or ${address}` : address;
  return new OutboundRefusedError(
    host,
    address,
    `${lead} is ${what}: requests go to public addresses only. If it is meant, add ${add} to OUTDIAL_OUTBOUND_ALLOW`,
  );
}
