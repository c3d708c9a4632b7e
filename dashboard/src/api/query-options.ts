import { ApiProblem } from "outdial/api";

/** What no second try changes. */
const FOR_GOOD = (status: number) => status >= 400 && status < 500 && status !== 429;

/**
 * How pages ask, and act. A browser that takes itself to be offline asks all the same, and fails: left to wait for the
 * network, a stop or a resume would be sent whenever that is back, when nobody means it any more. It is wrong about it,
 * too, where the server is on its own machine.
 */
export const ASKING = {
  queries: {
    networkMode: "always" as const,
    // Off by itself where the network is not waited for.
    refetchOnReconnect: true,
    staleTime: 5_000,
    retry: (times: number, error: Error) =>
      times < 2 && !(error instanceof ApiProblem && FOR_GOOD(error.status)),
    refetchOnWindowFocus: true,
  },
  mutations: { networkMode: "always" as const },
};
