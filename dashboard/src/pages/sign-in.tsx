import { useEffect, useRef, useState } from "preact/hooks";

import { readSession, readWays, signIn, type Session, type Ways as Offered } from "../api/session.ts";
import { Failure } from "../parts/state.tsx";
import { words } from "../words.ts";

interface SignInProps {
  /** Why one is here. */
  because: string | undefined;
  onSignedIn: (session: Session) => void;
}

/** The page of whoever has no session. */
export function SignIn({ because, onSignedIn }: SignInProps) {
  useEffect(() => {
    document.title = `${words.signIn.title} · ${words.product}`;
  }, []);
  return (
    <div class="gate">
      <main>
        <h1>{words.signIn.title}</h1>
        {because !== undefined && (
          <p class="note warn" role="status">
            {because}
          </p>
        )}
        <Ways onSignedIn={onSignedIn} />
      </main>
    </div>
  );
}

/**
 * A session that is over, above the page: what was being written there stays, and is not seen until somebody has signed in.
 * Whoever signs in by their provider does so in another window, and goes on here.
 */
export function SignInAgain({ onSignedIn }: Pick<SignInProps, "onSignedIn">) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    const look = () =>
      void readSession().then(
        (session) => session && onSignedIn(session),
        () => undefined,
      );
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, [onSignedIn]);
  return (
    <dialog
      ref={dialog}
      class="again"
      aria-labelledby="sign-in-again"
      onCancel={(event) => event.preventDefault()}
      // Some browsers close it at the second Escape whatever the page says.
      onClose={({ currentTarget }) => currentTarget.showModal()}
    >
      <div class="stack">
        <h2 id="sign-in-again">{words.signIn.title}</h2>
        <p class="note warn" role="status">
          {words.signIn.over} {words.signIn.stays}
        </p>
        <Ways onSignedIn={onSignedIn} elsewhere />
      </div>
    </dialog>
  );
}

interface WaysProps extends Pick<SignInProps, "onSignedIn"> {
  /** The page is to stay: a provider's is opened beside it. */
  elsewhere?: boolean;
}

function Ways({ onSignedIn, elsewhere = false }: WaysProps) {
  const [ways, setWays] = useState<Offered>();
  const [token, setToken] = useState("");
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    // Without an answer there is the token.
    void readWays().then(setWays, () => undefined);
  }, []);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      onSignedIn(await signIn({ token: token.trim() }));
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  const back = elsewhere ? "/" : location.pathname + location.search;
  return (
    <>
      {ways?.oidc && (
        <a
          class="button main-action"
          href={`/v1/session/oidc/start?return_to=${encodeURIComponent(back)}`}
          {...(elsewhere && { target: "_blank", rel: "noreferrer" })}
        >
          {words.signIn.oidc(ways.oidc.name)}
        </a>
      )}
      {ways?.oidc && elsewhere && <p class="small quiet">{words.signIn.elsewhere}</p>}
      <form onSubmit={(event) => void submit(event)}>
        <label>
          {words.signIn.token}
          <input
            type="password"
            autoComplete="off"
            required
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
          <small>{words.signIn.tokenHint}</small>
        </label>
        {error !== undefined && <Failure error={error} />}
        <button type="submit" class="main-action" aria-disabled={busy}>
          {words.signIn.does}
        </button>
      </form>
      <p class="small quiet">{words.signIn.link}</p>
    </>
  );
}
