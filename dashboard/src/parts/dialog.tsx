import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { Failure } from "./state.tsx";
import { words } from "../words.ts";

interface DialogProps {
  title: string;
  /** What it does, as a verb. */
  does: string;
  danger?: boolean;
  /** What is asked for, and what follows from it. */
  children?: ComponentChildren;
  /** It may not be done yet. */
  blocked?: boolean;
  /** A reason is needed, or may be given; nothing: it is not asked for. */
  reason?: "needed" | "may";
  /** The reason; undefined: none was given. */
  act: (reason: string | undefined) => Promise<unknown>;
  close: () => void;
  /** How it ended is told outside of it, to whoever has left it. */
  toldOutside?: boolean;
}

/** What is done takes a second or two; behind this nobody is held by what may never be answered. */
const STAYS_FOR_MS = 20_000;

/**
 * A question before something is done. Escape and the way back close it, and nothing was done. While it is being done
 * it stays for some time: nobody is to take for undone what may be done, nor to miss that it failed.
 */
export function Dialog({
  title,
  does,
  danger = false,
  children,
  blocked = false,
  reason,
  act,
  close,
  toldOutside = false,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [why, setWhy] = useState("");
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const isLacking = blocked || (reason === "needed" && why.trim() === "");
  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy || isLacking) return;
    setBusy(true);
    setError(undefined);
    try {
      await act(why.trim() === "" ? undefined : why.trim());
      close();
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (!busy) return;
    const timer = setTimeout(setLong, STAYS_FOR_MS, true);
    return () => clearTimeout(timer);
  }, [busy]);
  const stays = busy && !toldOutside && !isLong;
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onCancel={(event) => {
        if (stays) event.preventDefault();
      }}
      // Some browsers close it at the second Escape whatever the page says.
      onClose={({ currentTarget }) => {
        if (stays) currentTarget.showModal();
        else close();
      }}
    >
      <form onSubmit={(event) => void submit(event)}>
        <h2>{title}</h2>
        {children}
        {reason && (
          <label>
            {reason === "needed" ? words.dialog.reasonNeeded : words.dialog.reason}
            <input
              value={why}
              onInput={({ currentTarget }) => setWhy(currentTarget.value)}
              maxLength={500}
              autoFocus
              required={reason === "needed"}
            />
          </label>
        )}
        {error !== undefined && <Failure error={error} />}
        {isLong && !toldOutside && (
          <p class="note warn" role="status">
            {words.dialog.long}
          </p>
        )}
        <div class="row">
          <button
            type="submit"
            class={`main-action${danger ? " danger" : ""}`}
            aria-disabled={busy || isLacking}
          >
            {busy ? words.dialog.busy : does}
          </button>
          <button
            type="button"
            aria-disabled={stays}
            onClick={() => {
              if (!stays) close();
            }}
          >
            {words.dialog.back}
          </button>
        </div>
      </form>
    </dialog>
  );
}

interface AskProps extends Omit<DialogProps, "close"> {
  /** What the button says. */
  label: string;
  mainAction?: boolean;
}

/** A button that asks before it does something. */
export function Ask({ label, mainAction = false, ...dialog }: AskProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class={[mainAction && "main-action", dialog.danger && "danger"].filter(Boolean).join(" ")}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {open && <Dialog {...dialog} close={() => setOpen(false)} />}
    </>
  );
}
