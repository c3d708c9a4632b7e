import { QueryClient, QueryClientProvider } from "@tanstack/preact-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";

import { askAgain } from "./api/ask-again.ts";
import { ClientContext, clientOf } from "./api/client.ts";
import { ASKING } from "./api/query-options.ts";
import {
  BrandContext,
  brandChosen,
  readSession,
  rememberBrand,
  SessionContext,
  signIn,
  takeSignInCode,
  type Session,
} from "./api/session.ts";
import { Frame } from "./frame.tsx";
import { SignIn, SignInAgain } from "./pages/sign-in.tsx";
import { dropDrafts } from "./parts/drafts.ts";
import { Failure } from "./parts/state.tsx";
import { words } from "./words.ts";

/** Why somebody is asked to sign in, where they did not just come. */
type Gate =
  | { is: "asking" }
  | { is: "closed"; because?: string | undefined }
  | { is: "failed"; error: unknown };

/** Whoever is signed in sees the frame; others are asked to. */
export function App() {
  const [session, setSession] = useState<Session>();
  const [gate, setGate] = useState<Gate>({ is: "asking" });
  const ask = useCallback(async () => {
    setGate({ is: "asking" });
    try {
      const code = takeSignInCode();
      const found = code === undefined ? await readSession() : await signIn({ code });
      setSession(found);
      setGate({ is: "closed" });
    } catch (error) {
      const isRefusal = error instanceof Error && error.name === "SignInError";
      setGate(isRefusal ? { is: "closed", because: error.message } : { is: "failed", error });
    }
  }, []);
  useEffect(() => void ask(), [ask]);
  // A link that signs in once, opened where the page is open already.
  useEffect(() => {
    const onHash = () => {
      if (location.hash.startsWith("#sign-in=")) void ask();
    };
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, [ask]);
  const leave = useCallback((because?: string) => {
    setSession(undefined);
    setGate({ is: "closed", because });
  }, []);
  if (session) {
    return (
      // What one has written stays while they sign in again; nobody sees what was somebody else's.
      <SignedIn key={whoIs(session)} session={session} leave={leave} signIn={setSession} />
    );
  }
  if (gate.is === "closed") return <SignIn because={gate.because} onSignedIn={setSession} />;
  return (
    <div class="gate">
      <main>
        {gate.is === "failed" ? (
          <Failure error={gate.error} again={() => void ask()} />
        ) : (
          <p class="waiting" role="status">
            {words.states.loading}
          </p>
        )}
      </main>
    </div>
  );
}

function whoIs({ name, role, brands }: Session): string {
  return JSON.stringify([name, role, brands]);
}

interface SignedInProps {
  session: Session;
  leave: (because?: string) => void;
  signIn: (session: Session) => void;
}

function SignedIn({ session, leave, signIn: begin }: SignedInProps) {
  const [over, setOver] = useState<Session>();
  const [chosen, setChosen] = useState(() => brandChosen(session));
  const choose = (brand: string) => {
    rememberBrand(brand);
    setChosen(brand);
  };
  const client = useMemo(() => {
    const over = () => setOver(session);
    // Whoever is the same goes on with what they were writing. Of somebody else nothing is shown to them unasked.
    const goOn = (found: Session | undefined) => {
      if (found === undefined) over();
      else if (whoIs(found) === whoIs(session)) begin(found);
      else leave(words.signIn.changed);
    };
    return clientOf(session, chosen, { over, other: () => void readSession().then(goOn, over) });
  }, [session, chosen, begin, leave]);
  // Of its own for each who signs in, by the key of all this: nobody sees what was answered to somebody else. Whoever is
  // the same keeps it: what is on the page listens to no other.
  const queries = useMemo(() => new QueryClient({ defaultOptions: ASKING }), [chosen]);
  const before = useRef(session);
  useEffect(() => {
    if (before.current !== session) void askAgain(queries);
    before.current = session;
  }, [session, queries]);
  useEffect(() => dropDrafts, []);
  const isOver = over === session;
  return (
    <SessionContext.Provider value={session}>
      <ClientContext.Provider value={client}>
        <QueryClientProvider client={queries}>
          <BrandContext.Provider value={chosen}>
            <Frame
              key={chosen}
              leave={leave}
              isOver={isOver}
              brand={chosen}
              brands={session.brands ?? []}
              choose={choose}
            />
          </BrandContext.Provider>
          {isOver && <SignInAgain onSignedIn={begin} />}
        </QueryClientProvider>
      </ClientContext.Provider>
    </SessionContext.Provider>
  );
}
