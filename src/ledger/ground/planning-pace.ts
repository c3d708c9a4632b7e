/** How the planner paces itself. Real time; a sandbox that runs faster has it divided by its speed. */
export interface PlanningPace {
  /** Retries that fall due, fewer than are worth a batch, are gathered for this long. */
  gatherMs: number;
  /** The longest time without a look while batches are under way, and while none are. */
  busyLookMs: number;
  idleLookMs: number;
  /** `dial_by` lies this long before the window closes: the time that a stop may take. */
  dialByMarginMs: number;
  /** Nobody is put on a batch that must stop dialing sooner than this: creating and starting takes some of it. */
  minLeadMs: number;
  /** How long a contact whose number another campaign is calling waits before it is looked at again. */
  openAttemptWaitMs: number;
}
