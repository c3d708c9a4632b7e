import type { OnSent } from "../test/support/tcp-proxy.ts";

/*
 * Counts what clients ask of PostgreSQL by reading along (protocol 3: a start-up message without a type, then
 * messages of a type byte, a length and a body). A statement is a simple query, or an execution of a prepared one.
 */

const QUERY = "Q".charCodeAt(0);
const EXECUTE = "E".charCodeAt(0);

/** Sent as simple queries, by the pool and by drizzle. */
const BEGINS = /^(?:begin|start transaction)/i;
const ENDS = /^(?:commit|rollback|savepoint|release)/i;

interface Reading {
  rest: Buffer;
  hasBegun: boolean;
}

export interface QueryCount {
  onSent: OnSent;
  read(): { statements: number; transactions: number };
}

export function createQueryCount(): QueryCount {
  const readings = new Map<number, Reading>();
  let statements = 0;
  let transactions = 0;
  const note = (type: number, body: Buffer) => {
    if (type === EXECUTE) statements += 1;
    if (type !== QUERY) return;
    const text = body.toString("utf8").trimStart();
    if (BEGINS.test(text)) transactions += 1;
    else if (!ENDS.test(text)) statements += 1;
  };
  return {
    onSent: (connection, chunk) => {
      const reading = readings.get(connection) ?? { rest: Buffer.alloc(0), hasBegun: false };
      readings.set(connection, reading);
      let rest = reading.rest.length === 0 ? chunk : Buffer.concat([reading.rest, chunk]);
      for (;;) {
        const typeBytes = reading.hasBegun ? 1 : 0;
        if (rest.length < typeBytes + 4) break;
        const length = typeBytes + rest.readInt32BE(typeBytes);
        if (rest.length < length) break;
        if (reading.hasBegun) note(rest.readUInt8(0), rest.subarray(5, length));
        reading.hasBegun = true;
        rest = rest.subarray(length);
      }
      reading.rest = rest;
    },
    read: () => ({ statements, transactions }),
  };
}
