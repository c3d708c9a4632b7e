/**
 * The request must not be sent: its address, or something in it, is not allowed. Nothing reached anybody at that
 * address. Trying again helps only after a definition or a setting was changed; the message says which.
 */
export class OutboundRefusedError extends Error {
  override readonly name = "OutboundRefusedError";
  readonly host: string;
  /** The address that the host's name led to, where that is what was refused. */
  readonly address: string | undefined;

  constructor(host: string, address: string | undefined, message: string) {
    super(message);
    this.host = host;
    this.address = address;
  }
}

/**
 * `connection`: not made, or lost. `timeout`: the time was up. `aborted`: the caller's signal.
 * `not_http`: what came back is not HTTP, or more than a header may be. `closed`: after `close`.
 */
export type OutboundErrorKind = "connection" | "timeout" | "aborted" | "not_http" | "closed";

/** No answer came. Carries nothing of what was sent or received; `code` is a word such as `ECONNREFUSED`. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly kind: OutboundErrorKind;
  readonly code: string;
  /** `did_not_happen` only if not a byte of the request was written. */
  readonly effect: "did_not_happen" | "may_have_happened";

  constructor(host: string, kind: OutboundErrorKind, code: string, sent: boolean) {
    const effect = sent ? "may have been carried out" : "was not sent";
    super(`no answer from ${host}: ${code}; the request ${effect}`);
    this.kind = kind;
    this.code = code;
    this.effect = sent ? "may_have_happened" : "did_not_happen";
  }
}
