/**
 * The CPU time that work takes, in milliseconds: unlike wall-clock time, it does not grow with what else the machine does.
 * For bounds on work that would take minutes if it were not bounded.
 */
export function cpuMsOf(work: () => void): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}
