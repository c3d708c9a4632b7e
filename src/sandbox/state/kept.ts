/**
 * A part of the state that survives a restart (option `data`). Every collection of an organization is one, listed in
 * `Organization.kept`. Times in what is dumped are the clock's `now()`: the clock goes on from the same epoch.
 */
export interface Kept<Saved = unknown> {
  /** Everything that has to survive, as plain JSON. Nothing is lost if the process is killed right after. */
  dump(): Saved;
  /**
   * Takes back what `dump` gave, in an empty collection, and re-arms its own timers. Other collections may not be
   * there yet: refer to them by id.
   */
  restore(saved: Saved): void;
}
