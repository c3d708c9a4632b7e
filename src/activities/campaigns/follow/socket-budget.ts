/** Stream sockets of this process. Beyond it, batches are followed by the listing of running batches. */
export interface SocketBudget {
  take(): boolean;
  giveBack(): void;
}

export function createSocketBudget(limit: number): SocketBudget {
  let taken = 0;
  return {
    take() {
      if (taken >= limit) return false;
      taken += 1;
      return true;
    },
    giveBack() {
      taken -= 1;
    },
  };
}
