/**
 * open: waits to be dialed. leased: an attempt of it is open or provisional. done: has its outcome.
 * excluded: will not be dialed, with a reason. Accepted = open + leased + done + excluded at every instant (I3).
 */
export type ContactState = "open" | "leased" | "done" | "excluded";

/**
 * open: may be dialed or is being dialed; holds its number against every other attempt.
 * provisional: the call is over, what it came to still depends on facts that are to come.
 * ended: has its disposition, for good. returned: proven not to have been dialed; its number is free again.
 */
export type AttemptState = "open" | "provisional" | "ended" | "returned";
