/**
 * open: waits to be dialed. leased: an attempt of it is open or provisional. done: has its outcome.
 * excluded: will not be dialed, with a reason. Accepted = open + leased + done + excluded at every instant (I3).
 */
export const CONTACT_STATES = ["open", "leased", "done", "excluded"] as const;
export type ContactState = (typeof CONTACT_STATES)[number];
