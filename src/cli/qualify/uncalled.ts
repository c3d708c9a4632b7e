import type { BatchCallItem, Call } from "../../platform/index.ts";
import { isRefusal, walkCalls } from "./lists.ts";
import type { Study, View } from "./study.ts";
import { isTouched } from "./looking.ts";

/**
 * The phones of a batch that were provably not called, so that another one may call them. Absence proves little:
 * two looks a quiet time apart must show no sign of a call, and the calls listed for the batch must have none to the
 * phone, while they have those that are known. Whoever fails one of these is left out (I1).
 */
export async function findUncalled(
  study: Study,
  phones: readonly string[],
  first: View,
  second: View,
): Promise<string[]> {
  const calls = await listedCalls(study, second.batch.batch_call_id);
  if (calls === undefined || !hasKnownCalls(calls, second.items)) return [];
  // A call whose number can't be told may be anybody's.
  if (calls.some(({ to_number: number }) => digitsOf(number) === "")) return [];
  return phones.filter((phone) => {
    const digits = digitsOf(phone);
    const isFree = ({ items }: View) => {
      const own = items.filter(({ phone_number: listed }) => digitsOf(listed) === digits);
      return own.length > 0 && !own.some(isTouched);
    };
    const isCalled = calls.some(({ to_number: number }) => digitsOf(number) === digits);
    return isFree(first) && isFree(second) && !isCalled;
  });
}

/** Every call that is listed for a batch; undefined where that can't be told. */
async function listedCalls(study: Study, batchId: string): Promise<readonly Call[] | undefined> {
  try {
    const { calls, isWhole } = await walkCalls(study, batchId, () => false);
    return isWhole ? calls : undefined;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** A listing without the calls that are known says nothing about others. */
function hasKnownCalls(calls: readonly Call[], items: readonly BatchCallItem[]): boolean {
  return items
    .filter(isTouched)
    .every(({ call_id: id, phone_number: phone }) =>
      id === undefined
        ? calls.some(({ to_number: number }) => digitsOf(number) === digitsOf(phone))
        : calls.some(({ call_id: listed }) => listed === id),
    );
}

function digitsOf(phone: string | undefined): string {
  return phone?.replaceAll(/\D/g, "") ?? "";
}
