import type { IncomingMessage } from "node:http";

import { unprocessable } from "./errors.ts";

/** What stands before a form's first delimiter, and the delimiter: `--` and 70 characters at most (RFC 2046). */
const BEGINNING_BYTES = 128;

const BLANK_START = /^(?:\u00EF\u00BB\u00BF)?[\s]*/;

/** The first line of a form. Its characters are those of RFC 2046, none of which ends a quoted text. */
const DELIMITER = /^--([0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-])[ \t]*\r?\n/;

/**
 * Labels a body by what it begins with. Clients are seen to send forms labelled as JSON, and forms whose label lacks
 * the boundary. What is neither a form nor JSON keeps its label. Throws 422 where nothing comes, and for a form of
 * which nobody can say where its parts end.
 */
export async function labelByContent(raw: IncomingMessage): Promise<void> {
  const { headers } = raw;
  const isSent = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (!isSent) {
    return;
  }
  const beginning = (await peek(raw)).toString("latin1").replace(BLANK_START, "");
  const boundary = DELIMITER.exec(beginning)?.[1];
  const label = headers["content-type"] ?? "";
  if (boundary !== undefined) {
    headers["content-type"] = `multipart/form-data; boundary="${boundary}"`;
  } else if (/^[{[]/.test(beginning)) {
    headers["content-type"] = "application/json";
  } else if (/^multipart\//i.test(label) && !/;\s*boundary=("[^"]+"|[^\s;"]+)/i.test(label)) {
    throw unprocessable(["header", "content-type"], "A multipart body needs a boundary", "value_error");
  }
}

/** The first bytes of a body, which can still be read as if nobody had looked. Throws 422 for one without any. */
async function peek(raw: IncomingMessage): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    let seen = Buffer.alloc(0);
    const leave = (): void => {
      raw.off("readable", look).off("end", miss).off("close", miss).off("error", miss);
    };
    const miss = (): void => {
      leave();
      reject(unprocessable(["body"], "The body ends before it says what it is", "missing"));
    };
    const look = (): void => {
      for (let chunk: unknown = raw.read(); Buffer.isBuffer(chunk); chunk = raw.read()) {
        seen = Buffer.concat([seen, chunk]);
        if (isEnough(seen)) {
          leave();
          // Before anything else is read: what is put back comes first again.
          raw.unshift(seen);
          resolve(seen);
          return;
        }
      }
    };
    raw.on("readable", look).on("end", miss).on("close", miss).on("error", miss);
  });
}

/** Whether a form can be told from anything else by now. */
function isEnough(seen: Buffer): boolean {
  const beginning = seen.subarray(0, BEGINNING_BYTES).toString("latin1").replace(BLANK_START, "");
  const mayBeForm = beginning === "" || (beginning.startsWith("-") && !beginning.includes("\n"));
  return seen.length >= BEGINNING_BYTES || !mayBeForm;
}
