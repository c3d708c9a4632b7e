import type { ComponentChildren } from "preact";
import { ApiProblem } from "outdial/api";

import { wordsOf } from "../api/client.ts";
import { ago } from "../format.ts";
import { words } from "../words.ts";
import { useMinutes } from "./when.tsx";

/** What a read has come to, as all hooks that read have it. */
interface Reading<Data> {
  data: Data | undefined;
  error: unknown;
  isFetching: boolean;
  dataUpdatedAt: number;
  refetch(): unknown;
}

interface LoadProps<Data> {
  of: Reading<Data>;
  /** Whether there is nothing to show, and what is said then. */
  empty?: { when: (data: Data) => boolean; say: ComponentChildren };
  children: (data: Data) => ComponentChildren;
}

/**
 * Each state of what is read has its look: waiting, failed with the remedy, old because newer could not be read, empty,
 * and there.
 */
export function Load<Data>({ of, empty, children }: LoadProps<Data>) {
  const { data, error, dataUpdatedAt } = of;
  if (data === undefined) {
    if (isForOthers(error)) return <NoRights says={wordsOf(error).title} />;
    if (error) return <Failure error={error} again={() => void of.refetch()} />;
    return (
      <p class="waiting" role="status" aria-busy="true">
        {words.states.loading}
      </p>
    );
  }
  return (
    <>
      {error !== null && error !== undefined && <Old since={dataUpdatedAt} error={error} />}
      {empty?.when(data) === true ? <div class="quiet">{empty.say}</div> : children(data)}
    </>
  );
}

function Old({ since, error }: { since: number; error: unknown }) {
  useMinutes();
  return (
    <div class="note warn" role="status">
      <p>
        {words.states.old(ago(since))} {wordsOf(error).title}
      </p>
    </div>
  );
}

/** Nothing went wrong: it is not for this role, or not for these brands. */
function isForOthers(error: unknown): boolean {
  return error instanceof ApiProblem && ["role_needed", "other_brands"].includes(error.code);
}

/** What stands in place of what somebody may not see. @param says the server's own words */
export function NoRights({ says }: { says?: string }) {
  return (
    <div class="note" role="status">
      <p>{words.states.noRights}</p>
      {says !== undefined && <p class="small quiet">{says}</p>}
    </div>
  );
}

export function Failure({ error, again }: { error: unknown; again?: () => void }) {
  const { title, lines, requestId } = wordsOf(error);
  return (
    <div class="note bad" role="alert">
      <p>
        <strong>{title}</strong>
      </p>
      {lines.length > 0 && (
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {requestId !== undefined && <p class="small quiet">{words.states.request(requestId)}</p>}
      {again && (
        <p>
          <button type="button" onClick={again}>
            {words.states.again}
          </button>
        </p>
      )}
    </div>
  );
}
