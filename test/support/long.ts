/** Whether the tests run in their long form: `npm run test:long`. */
const LONG = process.env["OUTDIAL_TEST_LONG"] !== undefined;

/** How large, or how often: the smallest that shows the same, and what takes minutes and is run on demand. */
export function sized<T>({ short, long }: { short: T; long: T }): T {
  return LONG ? long : short;
}
