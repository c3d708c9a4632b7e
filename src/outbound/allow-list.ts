import net from "node:net";

import ipaddr from "ipaddr.js";

/** What may be reached although it is not public: hosts by name, and ranges of addresses. */
export interface AllowList {
  /** Lower case, without a final dot; names outside ASCII as DNS writes them. */
  readonly hosts: ReadonlySet<string>;
  readonly ranges: readonly Range[];
}

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Reads an allow list: host names, addresses, and ranges such as `10.0.0.0/8` or `fd00::/8`.
 *
 * @throws RangeError naming the entry that is none of these.
 */
export function parseAllowList(entries: readonly string[]): AllowList {
  const hosts = new Set<string>();
  const ranges: Range[] = [];
  for (const entry of entries) {
    const text = entry.trim().toLowerCase();
    const [address = "", bits, ...rest] = text.replace(/^\[(.*)\]$/, "$1").split("/");
    if (rest.length > 0) throw notAnEntry(entry);
    const read = readAddress(address);
    if (read !== undefined) ranges.push(rangeOf(entry, read, bits));
    else if (bits === undefined) hosts.add(hostOf(entry, text));
    else throw notAnEntry(entry);
  }
  return { hosts, ranges };
}

/**
 * Reads an address; one that carries an IPv4 address (`::ffff:10.0.0.1`) as that one. Undefined for anything that
 * a socket would not take for an address, and for one with a zone (`fe80::1%eth0`), which names a link of this
 * machine.
 */
export function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  switch (net.isIP(text)) {
    case 4:
      return ipaddr.IPv4.parse(text);
    case 6: {
      const url = `http://[${text}]/`;
      // In hexadecimal alone: ipaddr.js takes `::10.0.0.1` for `::ffff:10.0.0.1`, which is another address.
      return URL.canParse(url) ? ipaddr.process(new URL(url).hostname.slice(1, -1)) : undefined;
    }
    default:
      return undefined;
  }
}

function rangeOf(entry: string, address: Range[0], bits: string | undefined): Range {
  const most = address.kind() === "ipv4" ? 32 : 128;
  if (bits === undefined) return [address, most];
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > most) throw notAnEntry(entry);
  return [address, Number(bits)];
}

function hostOf(entry: string, text: string): string {
  const url = `http://${text}/`;
  if (!/^[\p{L}\p{N}_.-]+$/u.test(text) || !URL.canParse(url)) throw notAnEntry(entry);
  const host = new URL(url).hostname;
  // `10.1` or `0x7f.1`: an address in a notation that its reader may take for another one.
  if (net.isIP(host) !== 0) throw new RangeError(`"${entry}" must be written as ${host}`);
  return host.replace(/\.$/, "");
}

function notAnEntry(entry: string): RangeError {
  return new RangeError(
    `"${entry}" is not a host name, an address or a range of addresses: no scheme, port, path or wildcard`,
  );
}

/** Whether an address stands in one of the list's ranges. An IPv4 address within IPv6 counts as what it is. */
export function holdsAddress(list: AllowList, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return list.ranges.some(([range, bits]) => range.kind() === address.kind() && address.match([range, bits]));
}
