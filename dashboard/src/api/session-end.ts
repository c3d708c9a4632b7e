/**
 * What an answer says of the session that a page asks with: it is over; or the browser has another since somebody signed
 * in in another tab, so that what is read comes by that one and nothing can be changed from here. Undefined: it is good.
 */
export async function sessionEndIn(answer: Response): Promise<"over" | "other" | undefined> {
  if (answer.status === 401) return "over";
  if (answer.status !== 403) return undefined;
  // Whoever asked reads the answer itself.
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  return Reflect.get(Object(body), "code") === "csrf_token" ? "other" : undefined;
}
