/** What came of sending a notice once. */
export type NoticeSent =
  /** `answer`: what the receiver said, in a word. `trouble`: who of several receivers was refused, and why. */
  | { ok: true; answer: string; trouble: string | undefined }
  /** `isFinal`: to wait helps nothing, and people have to mend what `error` says. */
  | { ok: false; error: string; isFinal: boolean; atLeastMs: number | undefined };
