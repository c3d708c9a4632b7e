import { useState } from "preact/hooks";
import { Link, Route, Switch, useLocation } from "wouter-preact";

import { useAct, useRead } from "./api/client.ts";
import { FeedContext, useLiveFeed, type Feed } from "./api/live.ts";
import { mayAsk } from "./api/rights.ts";
import { signOut, useMay, useSession } from "./api/session.ts";
import icon from "./icon.svg";
import { PAGES, SIDE } from "./pages/index.ts";
import { Choice } from "./parts/choice.tsx";
import { Ask } from "./parts/dialog.tsx";
import { Page } from "./parts/page.tsx";
import { NoRights } from "./parts/state.tsx";
import { nextTheme, themeNow, useTheme } from "./theme.ts";
import { words } from "./words.ts";

interface FrameProps extends BrandChoice {
  leave: (because?: string) => void;
  /** The session is over, and somebody is asked to sign in again. */
  isOver: boolean;
}

/** What stands around every page: where one is, whom one looks for, and the stop of everything. */
export function Frame({ leave, isOver, ...choice }: FrameProps) {
  const session = useSession();
  const feed = useLiveFeed(choice.brand, isOver);
  return (
    <FeedContext.Provider value={feed}>
      <a class="skip" href="#content">
        {words.frame.skip}
      </a>
      <div class="frame">
        <Top feed={feed} leave={leave} choice={choice} />
        <Side />
        <main class="main" id="content">
          <Stopped />
          <Switch>
            {PAGES.map(({ path, show: Show, of }) => (
              <Route key={path} path={path}>
                {(params) =>
                  mayAsk(session, of) ? (
                    <Show key={JSON.stringify(params)} params={params} />
                  ) : (
                    <Page title={words.states.notYours}>
                      <NoRights />
                    </Page>
                  )
                }
              </Route>
            ))}
            <Route>
              <Page title={words.frame.nowhere}>
                <p>
                  <Link href="/">{words.frame.toOverview}</Link>
                </p>
              </Page>
            </Route>
          </Switch>
        </main>
      </div>
    </FeedContext.Provider>
  );
}

/** Which brand is looked at, for whoever is for several. */
interface BrandChoice {
  /** Undefined: there is nothing to choose. */
  brand: string | undefined;
  brands: readonly string[];
  choose: (brand: string) => void;
}

interface TopProps {
  feed: Feed;
  leave: (because?: string) => void;
  choice: BrandChoice;
}

function Top({ feed, leave, choice: { brand, brands, choose } }: TopProps) {
  const session = useSession();
  const [theme, setTheme] = useTheme();
  const [, go] = useLocation();
  const [number, setNumber] = useState("");
  return (
    <header class="top">
      <Link href="/" class="brand">
        <img src={icon} alt="" />
        {words.product}
      </Link>
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          if (number.trim() !== "") go(`/people/${encodeURIComponent(number.trim())}`);
        }}
      >
        <input
          type="search"
          aria-label={words.frame.search}
          placeholder={words.frame.search}
          value={number}
          onInput={({ currentTarget }) => setNumber(currentTarget.value)}
        />
      </form>
      <div class="end">
        <span class={`pill ${feed === "live" ? "good" : "warn"}`} role="status">
          <span aria-hidden="true">{feed === "live" ? "●" : "▲"}</span>
          {words.frame.feed[feed]}
        </span>
        {brand !== undefined && (
          <Choice
            label={words.frame.brand}
            options={brands.map((one) => [one, one] as const)}
            value={brand}
            choose={choose}
          />
        )}
        <StopAll />
        <span class="small quiet">
          {session.name} · {words.roles[session.role]}
        </span>
        <button type="button" class="plain" onClick={() => setTheme(nextTheme(theme))}>
          {words.frame.theme[themeNow(nextTheme(theme))]}
        </button>
        <SignOut leave={leave} />
      </div>
    </header>
  );
}

/** Whoever could not be signed out is told so: on a machine of several people that matters. */
function SignOut({ leave }: { leave: (because?: string) => void }) {
  const session = useSession();
  const [failed, setFailed] = useState(false);
  const out = () =>
    signOut(session).then(
      () => leave(words.signIn.left),
      () => setFailed(true),
    );
  return (
    <>
      <button type="button" class="plain" onClick={() => void out()}>
        {words.frame.signOut}
      </button>
      {failed && <span role="alert">{words.frame.notSignedOut}</span>}
    </>
  );
}

/** In reach on every page, for who may. */
function StopAll() {
  const may = useMay("stopAll");
  const system = useRead("readSystem", {});
  const stop = useAct((client, reason: string | undefined) =>
    client.stopAll({ body: { reason: reason ?? "" } }),
  );
  if (!may || system.data?.stopped) return null;
  return (
    <Ask
      label={words.stop.label}
      title={words.stop.title}
      does={words.stop.does}
      danger
      reason="needed"
      act={(reason) => stop.mutateAsync(reason)}
    >
      <p>{words.stop.means}</p>
    </Ask>
  );
}

/** Nothing is dialed: said above everything else, with the way on. */
function Stopped() {
  const may = useMay("goOn");
  const system = useRead("readSystem", {}, { everyMs: 30_000 });
  const goOn = useAct((client, reason: string | undefined) =>
    client.goOn({ body: { reason: reason ?? "" } }),
  );
  const { stopped, recovery } = system.data ?? {};
  return (
    <>
      {stopped && (
        <div class="note bad" role="alert">
          <p>
            <strong>{words.stop.stopped(stopped.reason)}</strong>
          </p>
          {may && (
            <p>
              <Ask
                label={words.stop.goOn}
                title={words.stop.goOnTitle}
                does={words.stop.goOn}
                reason="needed"
                act={(reason) => goOn.mutateAsync(reason)}
              >
                <p>{words.stop.goOnMeans}</p>
              </Ask>
            </p>
          )}
        </div>
      )}
      {recovery && (
        <div class="note bad" role="alert">
          <p>{words.stop.recovery(recovery)}</p>
        </div>
      )}
    </>
  );
}

function Side() {
  const session = useSession();
  const [path] = useLocation();
  const system = useRead("readSystem", {}, { everyMs: 30_000 });
  const waiting = Object.values(system.data?.attention ?? {}).reduce((sum, n) => sum + n, 0);
  return (
    <div class="side">
      <nav aria-label={words.frame.pages}>
        <ul>
          {SIDE.filter(({ of }) => mayAsk(session, of)).map(({ path: to, name }) => (
            <li key={to}>
              <Link href={to} aria-current={isAt(path, to) ? "page" : undefined}>
                {name}
                {to === "/attention" && waiting > 0 && (
                  <span class="pill warn" aria-label={words.frame.waiting(waiting)}>
                    {waiting}
                  </span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}

function isAt(path: string, to: string): boolean {
  return to === "/" ? path === "/" : path === to || path.startsWith(`${to}/`);
}
