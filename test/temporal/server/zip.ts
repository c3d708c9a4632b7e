import { crc32, deflateRawSync } from "node:zlib";

export interface ZipFile {
  readonly name: string;
  readonly content: Buffer;
  readonly stored?: boolean;
  /** Lies for tests of damaged archives. */
  readonly crc?: number;
  readonly size?: number;
  readonly method?: number;
  readonly flags?: number;
  readonly localName?: string;
}

/** A ZIP archive as other tools write it, and as an attacker might. */
export function zip(files: readonly ZipFile[], comment = ""): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const data = file.stored === true ? file.content : deflateRawSync(file.content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(file.flags ?? 0, 2);
    fields.writeUInt16LE(file.method ?? (file.stored === true ? 0 : 8), 4);
    fields.writeUInt32LE(file.crc ?? crc32(file.content), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(file.size ?? file.content.length, 18);
    const localName = Buffer.from(file.localName ?? file.name);
    const localFields = Buffer.from(fields);
    localFields.writeUInt16LE(localName.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), localFields, localName, data]);
    const name = Buffer.from(file.name);
    fields.writeUInt16LE(name.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\u0001\u0002\u0014\u0000"), fields, rest, name);
    parts.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(index.length, 8);
  end.writeUInt32LE(offset, 12);
  end.writeUInt16LE(comment.length, 16);
  return Buffer.concat([...parts, index, Buffer.from("PK\u0005\u0006"), end, Buffer.from(comment)]);
}
