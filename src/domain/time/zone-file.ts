import type { Zone } from "./zone.ts";

/*
 * A zone as others read it: a TZif file of version 2 (RFC 9636), as the system keeps them in /usr/share/zoneinfo.
 * Those who take a zone by its name alone look it up in what they themselves were built with.
 */

const HEADER_BYTES = 44;

/** The name of every offset: whoever reads it gets to know no other. */
const DESIGNATION = "LOC\0";

/**
 * The clocks of a zone from one instant to another, as a file. Before, it goes by the offset at the first instant, and
 * behind by that at the last.
 */
export function zoneFile(zone: Zone, fromMs: number, toMs: number): Uint8Array {
  const changes = zone.changes(fromMs, toMs);
  const first = zone.offsetMs(fromMs);
  const after = changes.map(({ offsetBeforeMs, byMs }) => offsetBeforeMs + byMs);
  const offsets = [...new Set([first, ...after])];
  // The first block is for readers of the year 2038 and before, who need nothing more than that there is one.
  return Buffer.concat([
    header({ changes: 0, offsets: 1 }),
    offsetRecord(first),
    Buffer.from(DESIGNATION),
    header({ changes: changes.length, offsets: offsets.length }),
    ...changes.map(({ atMs }) => timeOf(atMs)),
    Buffer.from(after.map((offsetMs) => offsets.indexOf(offsetMs))),
    ...offsets.map(offsetRecord),
    Buffer.from(DESIGNATION),
    // An empty rule: nothing is said of the time behind the last change.
    Buffer.from("\n\n"),
  ]);
}

function header(counts: { changes: number; offsets: number }): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.write("TZif2", 0, "latin1");
  // At 20, 24 and 28: no marks of standard time and UT, and no leap seconds.
  bytes.writeUInt32BE(counts.changes, 32);
  bytes.writeUInt32BE(counts.offsets, 36);
  bytes.writeUInt32BE(DESIGNATION.length, 40);
  return bytes;
}

function timeOf(atMs: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(Math.floor(atMs / 1_000)));
  return bytes;
}

/** Seconds ahead of UTC, that it is standard time, and where its name stands. */
function offsetRecord(offsetMs: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeInt32BE(Math.round(offsetMs / 1_000));
  return bytes;
}
