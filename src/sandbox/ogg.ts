/**
 * Recordings: Ogg Opus (RFC 3533, RFC 7845) with silence in it, playable and exactly as long as the call. Pages are
 * all of one size and made when they are read, so any part of a recording of any length costs no memory.
 */

const SAMPLES_PER_PACKET = 960;
/** One second of 20 ms packets. */
const PACKETS_PER_PAGE = 50;
/** 20 ms of mono silence from the CELT part of Opus. */
const SILENCE = Buffer.from([0xf8, 0xff, 0xfe]);
const SERIAL = 0x0d1a1;
/** What players drop from the front, by RFC 7845's advice. */
const PRE_SKIP = 3_840;

const FLAG_FIRST = 2;
const FLAG_LAST = 4;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) {
    rest = (rest & 0x8000_0000) === 0 ? rest << 1 : (rest << 1) ^ 0x04c1_1db7;
  }
  return rest >>> 0;
});

const HEAD = page(0, 0, FLAG_FIRST, [opusHead()]);
const TAGS = page(1, 0, 0, [opusTags()]);
const HEADERS = Buffer.concat([HEAD, TAGS]);

const AUDIO_PACKETS: readonly Buffer[] = Array.from({ length: PACKETS_PER_PAGE }, () => SILENCE);
/** A page of silence; the next ones differ in a few fields of their header. */
const AUDIO_PAGE = page(2, 0, 0, AUDIO_PACKETS);
const PAGE_BYTES = AUDIO_PAGE.length;

/** Some 60 kB a chunk: few turns of the event loop, little memory. */
const PAGES_PER_CHUNK = 256;

/** The size of a recording of so many seconds, at least one. */
export function oggSize(seconds: number): number {
  return HEADERS.length + Math.max(1, seconds) * PAGE_BYTES;
}

/** The seconds of a recording that has at least so many bytes. */
export function oggSeconds(bytes: number): number {
  return Math.max(1, Math.ceil((bytes - HEADERS.length) / PAGE_BYTES));
}

/** The bytes of a recording from `start` to before `end`. */
export function* oggBytes(seconds: number, start: number, end: number): Generator<Buffer> {
  if (start < HEADERS.length) {
    yield HEADERS.subarray(start, Math.min(end, HEADERS.length));
  }
  const pages = Math.max(1, seconds);
  let from = Math.max(0, Math.floor((start - HEADERS.length) / PAGE_BYTES));
  const to = Math.min(pages, Math.ceil((end - HEADERS.length) / PAGE_BYTES));
  while (from < to) {
    const until = Math.min(to, from + PAGES_PER_CHUNK);
    const chunk = Buffer.concat(
      Array.from({ length: until - from }, (_, index) => audioPage(from + index, pages)),
    );
    const chunkStart = HEADERS.length + from * PAGE_BYTES;
    yield chunk.subarray(Math.max(0, start - chunkStart), Math.min(chunk.length, end - chunkStart));
    from = until;
  }
}

function audioPage(index: number, pages: number): Buffer {
  // The position is that of the last sample that ends in this page.
  const position = (index + 1) * PACKETS_PER_PAGE * SAMPLES_PER_PACKET;
  const whole = Buffer.from(AUDIO_PAGE);
  label(whole, index + 2, position, index === pages - 1 ? FLAG_LAST : 0);
  return whole;
}

function opusHead(): Buffer {
  const head = Buffer.alloc(19);
  head.write("OpusHead", "latin1");
  head.writeUInt8(1, 8);
  head.writeUInt8(1, 9);
  head.writeUInt16LE(PRE_SKIP, 10);
  head.writeUInt32LE(48_000, 12);
  return head;
}

function opusTags(): Buffer {
  const vendor = "Outdial sandbox";
  const tags = Buffer.alloc(8 + 4 + vendor.length + 4);
  tags.write("OpusTags", "latin1");
  tags.writeUInt32LE(vendor.length, 8);
  tags.write(vendor, 12, "latin1");
  return tags;
}

/** A page of whole packets, each shorter than 255 bytes. */
function page(sequence: number, position: number, flags: number, packets: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(27 + packets.length);
  header.write("OggS", "latin1");
  header.writeUInt32LE(SERIAL, 14);
  header.writeUInt8(packets.length, 26);
  for (const [index, packet] of packets.entries()) {
    header.writeUInt8(packet.length, 27 + index);
  }
  const whole = Buffer.concat([header, ...packets]);
  label(whole, sequence, position, flags);
  return whole;
}

/** Writes what tells a page from the others, and the checksum over all of it. */
function label(whole: Buffer, sequence: number, position: number, flags: number): void {
  whole.writeUInt8(flags, 5);
  whole.writeBigUInt64LE(BigInt(position), 6);
  whole.writeUInt32LE(sequence, 18);
  // The checksum covers the page with nothing where the checksum stands.
  whole.writeUInt32LE(0, 22);
  whole.writeUInt32LE(checksum(whole), 22);
}

/** CRC-32 as Ogg has it: polynomial 0x04c11db7, not reflected, starting from nothing. */
function checksum(bytes: Buffer): number {
  let crc = 0;
  // By index: an iterator takes several times as long, and a recording may have hundreds of megabytes.
  for (let at = 0; at < bytes.length; at += 1) {
    crc = (crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  }
  return crc >>> 0;
}
