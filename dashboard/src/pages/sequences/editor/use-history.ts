import { useCallback, useState } from "preact/hooks";

import { redone, undone, written, type Written } from "./history.ts";

/** What is being written, with its steps back and forth. */
export function useHistory(first: string) {
  const [state, setState] = useState<Written>({ text: first, past: [], future: [], at: 0 });
  return {
    ...state,
    write: useCallback((text: string) => setState((before) => written(before, text, Date.now())), []),
    undo: useCallback(() => setState(undone), []),
    redo: useCallback(() => setState(redone), []),
  };
}
