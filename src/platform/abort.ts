const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once when the signal is aborted; returns what takes that back. However many requests and streams
 * share a signal, it carries one listener of ours: more than ten look like a leak to Node, which then warns.
 * A signal that is aborted already calls nobody; ask it first.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => {};
  const callbacks = listeners.get(signal) ?? listenTo(signal);
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  listeners.set(signal, callbacks);
  signal.addEventListener(
    "abort",
    () => {
      for (const callback of callbacks) callback();
    },
    { once: true },
  );
  return callbacks;
}
