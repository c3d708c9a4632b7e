import net from "node:net";

import { parseAllowList } from "./allow-list.ts";
import { lookupByMachine, type Lookup } from "./connector.ts";
import { OutboundRefusedError } from "./errors.ts";
import { checkDestination } from "./guard.ts";
import { checkRequest } from "./request-check.ts";

/** A person waits for the answer, and a name that can't be looked up by then is not held against its address. */
const LOOKUP_WITHIN_MS = 3_000;

/**
 * Tells beforehand why requests to an address would be refused; undefined: they would not be, as far as can be known
 * now. A name that leads nowhere at present is no refusal. The decision falls with each connection (guard.ts, G1).
 */
export function createAddressCheck({
  allow,
  lookup = lookupByMachine,
  withinMs = LOOKUP_WITHIN_MS,
}: {
  allow: readonly string[];
  lookup?: Lookup;
  withinMs?: number;
}): (url: string) => Promise<string | undefined> {
  const list = parseAllowList(allow);
  return async (address) => {
    try {
      const { protocol, hostname } = checkRequest({ url: address, headers: {}, body: undefined });
      const host = hostname.replace(/^\[(.*)\]$/, "$1");
      const addresses = net.isIP(host) === 0 ? await lookUp(lookup, host, withinMs) : [host];
      checkDestination(list, { protocol, host, addresses });
      return undefined;
    } catch (error) {
      if (error instanceof OutboundRefusedError) return error.message;
      throw error;
    }
  };
}

async function lookUp(lookup: Lookup, host: string, withinMs: number): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<[]>((resolve) => {
    timer = setTimeout(() => resolve([]), withinMs);
  });
  try {
    const found = await Promise.race([lookup(host).catch(() => []), late]);
    return found.map(({ address }) => address);
  } finally {
    clearTimeout(timer);
  }
}
