/** What a call that was prescribed shows once it is processed. Absent: what the seed makes of it. */
export interface Prescribed {
  /** Answers of the analysis, beside the sandbox's own; null: there is none. */
  readonly analysis?: Readonly<Record<string, unknown>> | null | undefined;
  readonly summary?: string | null | undefined;
  /** Lines of the transcript. */
  readonly transcriptLines?: number | undefined;
  readonly processing?: "completed" | "failed" | "never" | undefined;
  /** Simulated milliseconds on top of what the seed says. */
  readonly processingLateMs?: number | undefined;
}
