/**
 * What costs a round trip for one costs hardly more for a hundred: what comes while that is under way is done together,
 * in the next one. Whoever comes alone waits for nobody. Each is answered by work that began after it came.
 */

export interface GatheringInput<Input, Output> {
  /** Done together, at the most; also by weight, of which one alone may have more. */
  most: number;
  mostWeight?: number;
  weightOf?: (input: Input) => number;
  /**
   * Answers in the order of what it was given. Where it throws, nothing of it was done.
   *
   * @param isAlone nobody waits for it but who asked
   */
  perform: (inputs: readonly Input[], isAlone: boolean) => Promise<readonly Output[]>;
  /** Whether an error is about all that come now, as opposed to one of those that were done together. */
  isOfAll: (error: unknown) => boolean;
  /** Whether one of them was only held up, and may be waited for alone. */
  isHeldUp?: (error: unknown) => boolean;
}

interface Waiting<Input, Output> {
  input: Input;
  resolve: (output: Output) => void;
  reject: (error: unknown) => void;
}

/** Does one thing with whatever else is to be done by then; answers, or throws what it meets alone. */
export function createGathering<Input, Output>(
  given: GatheringInput<Input, Output>,
): (input: Input) => Promise<Output> {
  const waiting: Waiting<Input, Output>[] = [];
  let underWay = false;

  const attempt = async (some: readonly Waiting<Input, Output>[], isAlone: boolean): Promise<void> => {
    const inputs = some.map(({ input }) => input);
    try {
      const outputs = await given.perform(inputs, isAlone);
      if (outputs.length !== some.length) throw new Error("as many are to be answered as were asked");
      for (const [index, output] of outputs.entries()) some[index]?.resolve(output);
    } catch (error) {
      const isItsOwn = isAlone || (some.length === 1 && given.isHeldUp?.(error) !== true);
      if (isItsOwn || given.isOfAll(error)) for (const one of some) one.reject(error);
      // One of them is at fault, or held up: the others are not, and nobody else waits for it.
      else for (const one of some) void attempt([one], true);
    }
  };

  const next = (): Waiting<Input, Output>[] => {
    let weight = 0;
    const fits = waiting.findIndex(({ input }, index) => {
      weight += given.weightOf?.(input) ?? 0;
      return index >= given.most || (index > 0 && weight > (given.mostWeight ?? Number.POSITIVE_INFINITY));
    });
    return waiting.splice(0, fits < 0 ? waiting.length : fits);
  };

  const run = async () => {
    underWay = true;
    while (waiting.length > 0) await attempt(next(), false);
    underWay = false;
  };

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (!underWay) void run();
    });
}
