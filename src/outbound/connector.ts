import dns from "node:dns";
import net, { type LookupFunction } from "node:net";
import { callbackify } from "node:util";

import { buildConnector } from "undici";

import type { AllowList } from "./allow-list.ts";
import { OutboundRefusedError } from "./errors.ts";
import { checkDestination } from "./guard.ts";

/** Resolves a name to all its addresses. */
export type Lookup = (host: string) => Promise<readonly { address: string; family: number }[]>;

/** By the machine's own resolver, so that its hosts file and its search domains count. */
export const lookupByMachine: Lookup = (host) => dns.promises.lookup(host, { all: true });

/** Name, connection and TLS together; undici's own figure. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Makes connections to allowed addresses only. A name is resolved once for a connection, all that came back is
 * checked, and the socket connects to nothing but that: it asks nobody again. Certificates are checked for the
 * name.
 */
export function guardedConnector(allow: AllowList, lookup: Lookup): buildConnector.connector {
  const connectorFor = (protocol: string) =>
    buildConnector({
      timeout: CONNECT_TIMEOUT_MS,
      autoSelectFamily: true,
      lookup: checkedLookup(allow, lookup, protocol),
    });
  const overHttp = connectorFor("http:");
  const overTls = connectorFor("https:");
  return (options, callback) => {
    const { hostname: host, protocol } = options;
    try {
      // A socket looks names up, and takes addresses as they are.
      if (net.isIP(host) !== 0) checkDestination(allow, { protocol, host, addresses: [host] });
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)), null);
      return;
    }
    (protocol === "https:" ? overTls : overHttp)(options, callback);
  };
}

/** For sockets that ask for all addresses, and try them in turn. */
function checkedLookup(allow: AllowList, lookup: Lookup, protocol: string): LookupFunction {
  return callbackify(async (host: string, _options: dns.LookupOptions): Promise<dns.LookupAddress[]> => {
    const found = await lookup(host);
    if (found.length === 0) throw new OutboundRefusedError(host, undefined, `${host} has no address`);
    checkDestination(allow, { protocol, host, addresses: found.map(({ address }) => address) });
    return [...found];
  });
}
