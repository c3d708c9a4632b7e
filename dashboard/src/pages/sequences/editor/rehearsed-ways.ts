/** One way of a person from its beginning to an end, with what had to happen for it. */
export interface WholeWay {
  points: readonly { at: string; step: string | null; what: string }[];
  /** What came at the steps at which it might have come otherwise. */
  forks: readonly { step: string; when: readonly string[]; tries: readonly string[] }[];
  end: { at: string; outcome: string; reason: string } | undefined;
  /** Why it is not walked to an end. */
  cut: string | undefined;
}

/** What the API walks, as far as it is shown. */
interface Walked {
  points: readonly { at: string; step: string | null; what: string }[];
  end?: { at: string; outcome: string; reason: string } | undefined;
  cut?: { at: string; why: string } | undefined;
  fork?: { at: string; step: string; about: string; ways: readonly WalkedBranch[] } | undefined;
}

interface WalkedBranch extends Walked {
  when: readonly string[];
  tries: readonly string[];
}

/** Every way through a tree of them, in its order. */
export function wholeWays(way: Walked, before: Pick<WholeWay, "points" | "forks"> = NONE): WholeWay[] {
  const points = [...before.points, ...way.points.map(({ at, step, what }) => ({ at, step, what }))];
  const { fork } = way;
  if (!fork) return [{ points, forks: before.forks, end: way.end, cut: way.cut?.why }];
  const at = { at: fork.at, step: fork.step, what: fork.about };
  return fork.ways.flatMap((branch) =>
    wholeWays(branch, {
      points: [...points, at],
      forks: [...before.forks, { step: fork.step, when: branch.when, tries: branch.tries }],
    }),
  );
}

const NONE = { points: [], forks: [] };

/** What an end says that a step made. */
const BY_STEP = /^step (\S+)$/;

/** The steps that it goes through, one after the other; one that it comes back to stands there again. */
export function stepsOnWay({ points, end }: Pick<WholeWay, "points" | "end">): string[] {
  const [, last] = BY_STEP.exec(end?.reason ?? "") ?? [];
  return [...points.map(({ step }) => step), last ?? null]
    .flatMap((step) => step ?? [])
    .filter((step, index, all) => index === 0 || all[index - 1] !== step);
}
