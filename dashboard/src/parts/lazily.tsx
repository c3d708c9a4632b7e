import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

import { words } from "../words.ts";
import type { Params } from "./params.ts";
import { Failure } from "./state.tsx";

type Shown = FunctionComponent<{ params: Params }>;

/** A page that is loaded once somebody opens it: what few need, nobody else waits for. */
export function lazily(load: () => Promise<Shown>): Shown {
  return function Lazily({ params }) {
    const [show, setShow] = useState<{ page?: Shown; error?: unknown }>({});
    useEffect(() => {
      let isHere = true;
      const set = (shown: { page?: Shown; error?: unknown }) => {
        if (isHere) setShow(shown);
      };
      load().then(
        (page) => set({ page }),
        (error: unknown) => set({ error }),
      );
      return () => {
        isHere = false;
      };
    }, []);
    const { page: Page, error } = show;
    if (Page) return <Page params={params} />;
    // What could not be loaded is mostly gone: a newer version is served. The page itself is asked for anew.
    if (error !== undefined) return <Failure error={error} again={() => location.reload()} />;
    return (
      <p class="waiting" role="status" aria-busy="true">
        {words.states.loading}
      </p>
    );
  };
}
