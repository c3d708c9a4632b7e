import { type Hint, mergeHints } from "./hint.ts";

/**
 * Lets the first hint through at once and then at most one per window: what arrives meanwhile becomes one
 * hint. However fast frames come, one hint is waiting and nothing else.
 */
export interface HintWindow {
  /** Counts a frame, which may have been no hint. False: the window has had its fill of frames. */
  frame(hint: Hint | undefined): boolean;
  /** Drops what is waiting and ends the window. */
  clear(): void;
}

export interface HintWindowOptions {
  readonly windowMs: number;
  /** Frames worth reading in one window; the rest of a burst can only repeat that something has happened. */
  readonly maxFrames: number;
  readonly deliver: (hint: Hint) => void;
  /** A window has ended: frames are wanted again. */
  readonly onWindowEnd: () => void;
}

export function openHintWindow(options: HintWindowOptions): HintWindow {
  const { windowMs, maxFrames, deliver, onWindowEnd } = options;
  let timer: NodeJS.Timeout | undefined;
  let waiting: Hint | undefined;
  let delivered = false;
  let frames = 0;

  const open = (): void => {
    frames = 0;
    timer = setTimeout(end, windowMs);
  };

  const end = (): void => {
    timer = undefined;
    const hint = waiting;
    waiting = undefined;
    delivered = hint !== undefined;
    // The delivery opens the next window, so that two hints are never closer than one window.
    if (hint !== undefined) {
      open();
      deliver(hint);
    }
    onWindowEnd();
  };

  return {
    frame: (hint) => {
      if (timer === undefined) {
        delivered = false;
        open();
      }
      frames += 1;
      if (hint !== undefined && !delivered) {
        delivered = true;
        deliver(hint);
      } else if (hint !== undefined) {
        waiting = waiting === undefined ? hint : mergeHints(waiting, hint);
      }
      return frames < maxFrames;
    },
    clear: () => {
      clearTimeout(timer);
      timer = undefined;
      waiting = undefined;
    },
  };
}
