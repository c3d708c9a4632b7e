/** The source gives no list, and will not by itself: the message says what to do. */
export class SourceRefusedError extends Error {
  override readonly name = "SourceRefusedError";
}

/** The source gave no list this time; the next try may get it. */
export class SourceAwayError extends Error {
  override readonly name = "SourceAwayError";
}
