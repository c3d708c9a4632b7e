import { createContext } from "preact";
import { useContext } from "preact/hooks";

import { mayAsk, type Caller, type Guarded } from "./rights.ts";
import { sessionEndIn } from "./session-end.ts";

/** Who is signed in, as `GET /v1/session` says it. */
export interface Session extends Caller {
  name: string;
  expires_at: string;
  csrf_token: string;
}

/** What a change that is for every brand is for here: of whoever has some brands, each of these. */
export function brandsOf({ brands }: Session): readonly (string | undefined)[] {
  return brands ?? [undefined];
}

const BRAND = "outdial-brand";

/** Which of several brands somebody looks at: the last that they chose in this browser. Undefined: there is nothing to choose. */
export function brandChosen({ brands }: Session): string | undefined {
  if (brands === null || brands.length < 2) return undefined;
  const known = localStorage.getItem(BRAND);
  return brands.find((brand) => brand === known) ?? brands[0];
}

export function rememberBrand(brand: string): void {
  localStorage.setItem(BRAND, brand);
}

/** The brand that is looked at on this page; undefined: there is nothing to choose. */
export const BrandContext = createContext<string | undefined>(undefined);

export const SessionContext = createContext<Session | undefined>(undefined);

/** @throws Error outside of what is shown to somebody who is signed in */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("nobody is signed in here");
  return session;
}

export function useMay(operation: Guarded): boolean {
  return mayAsk(useSession(), operation);
}

const PLACE = "/v1/session";

/** Undefined: nobody is signed in. */
export async function readSession(): Promise<Session | undefined> {
  const answer = await fetch(PLACE, { headers: { accept: "application/json" } });
  if (answer.status === 401) return undefined;
  return sessionIn(answer);
}

/** By a token, or the code of a link that signs in once. @throws SignInError */
export async function signIn(by: { token: string } | { code: string }): Promise<Session> {
  const answer = await fetch(PLACE, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(by),
  });
  return sessionIn(answer);
}

/** @throws SignInError where the session may still be there */
export async function signOut(session: Session): Promise<void> {
  let answer = await endWith(session);
  // Somebody signed in in another tab: it is their session that this browser has, and is to have no more.
  const now = (await sessionEndIn(answer)) === "other" ? await readSession() : undefined;
  if (now) answer = await endWith(now);
  if (!answer.ok && answer.status !== 401) await sessionIn(answer);
}

function endWith({ csrf_token: token }: Session): Promise<Response> {
  return fetch(PLACE, { method: "DELETE", headers: { "x-csrf-token": token } });
}

/** What the page to sign in on offers beside tokens. */
export interface Ways {
  oidc: { name: string } | null;
}

export async function readWays(): Promise<Ways> {
  const answer = await fetch(`${PLACE}/ways`, { headers: { accept: "application/json" } });
  return answer.ok ? ((await answer.json()) as Ways) : { oidc: null };
}

/** Nobody was let in; the message says why and what helps. */
class SignInError extends Error {
  override readonly name = "SignInError";
}

async function sessionIn(answer: Response): Promise<Session> {
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.ok) return body as Session;
  const detail: unknown = Reflect.get(Object(body), "detail");
  throw new SignInError(typeof detail === "string" ? detail : `The server answered with ${answer.status}.`);
}

/** The code of a link that signs in once. It is taken out of the address at once, so that nobody reads it there. */
export function takeSignInCode(): string | undefined {
  const code = /^#sign-in=([\w-]+)$/.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(null, "", location.pathname + location.search);
  return code;
}
