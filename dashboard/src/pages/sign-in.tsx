import { useEffect, useState } from "preact/hooks";

import { readWays, signIn, type Session, type Ways } from "../api/session.ts";
import { Failure } from "../parts/state.tsx";
import { words } from "../words.ts";

interface SignInProps {
  /** Why one is here. */
  because: string | undefined;
  onSignedIn: (session: Session) => void;
}

export function SignIn({ because, onSignedIn }: SignInProps) {
  const [ways, setWays] = useState<Ways>();
  const [token, setToken] = useState("");
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    document.title = `${words.signIn.title} · ${words.product}`;
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
  return (
    <div class="gate">
      <main>
        <h1>{words.signIn.title}</h1>
        {because !== undefined && (
          <p class="note warn" role="status">
            {because}
          </p>
        )}
        {ways?.oidc && (
          <a
            class="button main-action"
            href={`/v1/session/oidc/start?return_to=${encodeURIComponent(location.pathname + location.search)}`}
          >
            {words.signIn.oidc(ways.oidc.name)}
          </a>
        )}
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
      </main>
    </div>
  );
}
