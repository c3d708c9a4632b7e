/** How commands end. The same everywhere, and in the help of `outdial`. */
export const EXIT = {
  /** Done. For `run`: the campaign is completed, and every contact is done or excluded. */
  ok: 0,
  /** It failed, or was refused. */
  failed: 1,
  /** Bad input: arguments, settings, a campaign file or a list. Nothing was done. */
  badInput: 2,
  /** Not finished: the campaign is paused, or was cancelled. */
  notFinished: 3,
  /** Ctrl-C or SIGTERM. What was begun is durable, and the same command carries on. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_HELP = `Exit codes:
  0    done (run: the campaign is completed, every contact done or excluded)
  1    it failed, or was refused
  2    bad input: arguments, settings, a campaign file or a list
  3    not finished: the campaign is paused, or was cancelled
  130  interrupted; the same command carries on`;
