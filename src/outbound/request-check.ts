import { OutboundRefusedError } from "./errors.ts";

/** Deliveries carry facts of a call, transcripts included; more is a mistake. */
const MAX_BODY_BYTES = 262_144;

/** What common servers take as the whole of a request's headers. */
const MAX_HEADER_BYTES = 16_384;

/** These are the connection's own; set by a definition they would cut requests into others or change the host. */
const OURS = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Reads the address of a request, and checks what is sent with it as far as that needs no connection.
 *
 * @throws OutboundRefusedError which names what is wrong and repeats no value.
 */
export function checkRequest(request: {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}): URL {
  const url = readAddress(request.url);
  const refuse = (problem: string) => new OutboundRefusedError(url.hostname, undefined, problem);
  let headerBytes = 0;
  for (const [name, value] of Object.entries(request.headers)) {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) {
      throw refuse("a header's name holds what no header's name may hold");
    }
    if (OURS.has(name.toLowerCase()) || name.toLowerCase().startsWith("proxy-")) {
      throw refuse(`header ${name} can't be set: it belongs to the connection`);
    }
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw refuse(`header ${name} holds a line break or a letter that headers can't carry`);
    }
    headerBytes += name.length + value.length + 4;
  }
  if (headerBytes > MAX_HEADER_BYTES) {
    throw refuse(`the headers have ${headerBytes} bytes, ${MAX_HEADER_BYTES} at most are sent`);
  }
  const bodyBytes = Buffer.byteLength(request.body ?? "");
  if (bodyBytes > MAX_BODY_BYTES) {
    throw refuse(`the body has ${bodyBytes} bytes, ${MAX_BODY_BYTES} at most are sent: leave fields out`);
  }
  return url;
}

function readAddress(text: string): URL {
  if (!URL.canParse(text)) {
    throw new OutboundRefusedError(
      "(none)",
      undefined,
      "the address is not a URL such as https://example.com/hook",
    );
  }
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new OutboundRefusedError(url.hostname, undefined, `${url.protocol} is not allowed: use https`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new OutboundRefusedError(
      url.hostname,
      undefined,
      `the address of ${url.hostname} holds a user name or password: send it in a header, from a secret`,
    );
  }
  return url;
}
