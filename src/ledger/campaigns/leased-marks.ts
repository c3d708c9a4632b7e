/*
 * Marks on placements that are being dialed, in `contacts.reason`, which nobody else uses before a contact is over.
 * Without one, whatever the policy says follows an attempt.
 *
 * HELD: another attempt that would follow waits until it is released. Anything else is why the call was taken
 * back: no other attempt follows.
 */
export const HELD = "held";

/** A contact that is due then is not due: nobody plans for it until it is released. */
export const HELD_UNTIL_MS = Date.UTC(9999, 0, 1);

/** When a contact is due; undefined where nobody calls it before it is released. */
export function dueUnlessHeld(dueAtMs: number): number | undefined {
  return dueAtMs >= HELD_UNTIL_MS ? undefined : dueAtMs;
}

/** Why a leased contact was taken back, or undefined where it was not. */
export function withdrawalIn(mark: string | null): string | undefined {
  return mark === null || mark === HELD ? undefined : mark;
}
