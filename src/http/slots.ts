import { Problem } from "./problem.ts";

/**
 * Work that takes much of a process's time or memory, of which so much is under way at once and no more: whoever comes
 * meanwhile is told to come again, since those who dial are served before those who plan.
 */
export function createSlots(most: number, what: string) {
  let taken = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (taken >= most) throw tooMany(what);
    taken += 1;
    try {
      return await work();
    } finally {
      taken -= 1;
    }
  };
}

function tooMany(what: string): Problem {
  return new Problem({
    status: 503,
    code: "busy",
    detail: `${what} at this moment: send it again in a while, as Retry-After says`,
  });
}
