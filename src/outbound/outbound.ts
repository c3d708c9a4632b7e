/** A request to an address that somebody configured. */
export interface OutboundRequest {
  method: "POST" | "PUT" | "GET";
  url: string;
  /** The address is somebody's secret as a whole, its host included. Absent: its host may be told. */
  isAddressSecret?: boolean;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  /** For the whole exchange, connecting and reading included. Milliseconds. */
  timeoutMs: number;
  /** How much of the answer's body is read; absent: 64 KB. */
  answerBytes?: number;
  signal?: AbortSignal;
}

export interface OutboundAnswer {
  status: number;
  /** By lower-case name; of one that was sent more than once, the first. Without cookies. */
  headers: Readonly<Record<string, string>>;
  /** The beginning of the body, as text; as far as it came. Empty where it is compressed. */
  body: string;
  /** Of a 429 or 503 that says so, within bounds. Milliseconds. */
  retryAfterMs: number | undefined;
}

/**
 * Sends requests to addresses that people configured. Whatever status comes back is an answer.
 *
 * `request` @throws OutboundRefusedError where the address is not allowed, OutboundError where no answer came.
 */
export interface Outbound {
  request(request: OutboundRequest): Promise<OutboundAnswer>;
  close(): Promise<void>;
}
