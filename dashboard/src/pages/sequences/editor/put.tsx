import { Link, useLocation } from "wouter-preact";
import type { components } from "outdial/api";
import { stringify } from "yaml";

import { useAct, useRead } from "../../../api/client.ts";
import { Meanwhile } from "../../../parts/meanwhile.tsx";
import { Failure } from "../../../parts/state.tsx";
import { words } from "../../../words.ts";
import { editing as say } from "../../../words/editing.ts";
import { textOf } from "./draft.ts";

/** What was read, and is changed. */
export interface Base {
  id: string;
  name: string;
  version: number;
}

interface PutProps {
  /** The version that is gone over; undefined: there is none yet. */
  base: Base | undefined;
  /** It is another by now. */
  rebase: (base: Base) => void;
  /** Undefined: it can't be read as it stands. */
  definition: components.SequenceDefinition | undefined;
  isChanged: boolean;
  /** Begins again from what somebody else put. */
  take: (text: string) => void;
  done: () => void;
}

/** Puts the document in force, over the version that was read and no other. */
export function Put({ base: from, rebase, definition, isChanged, take, done }: PutProps) {
  const [, go] = useLocation();
  const put = useAct((by, { of, over }: { of: components.SequenceDefinition; over: number }) =>
    by.putSequence({ body: { definition: of, if_version: over } }),
  );
  const name = textOf(definition?.name);
  const isAnother = from !== undefined && name !== "" && name !== from.name;
  const does = (over: number) => {
    if (definition === undefined || put.isPending) return;
    put.mutate(
      { of: definition, over },
      {
        onSuccess: ({ id, name: called, version }) => {
          rebase({ id, name: called, version });
          done();
        },
      },
    );
  };
  return (
    <>
      {put.error && <Failure error={put.error} />}
      {put.data && (
        <p class="note good" role="status">
          {words.sequence.put[put.data.result](put.data.version)}{" "}
          <Link href={`/sequences/${put.data.id}`}>{put.data.name}</Link>
        </p>
      )}
      {isAnother && <p class="note warn">{say.another(from.name, name)}</p>}
      {from && (
        <PutMeanwhile
          base={from}
          take={(theirs, version) => {
            rebase({ ...from, version });
            put.reset();
            take(theirs);
          }}
          keep={(version) => {
            rebase({ ...from, version });
            does(version);
          }}
        />
      )}
      <p class="row">
        <button
          type="button"
          class="main-action"
          aria-disabled={definition === undefined || put.isPending}
          onClick={() => does(from === undefined || isAnother ? 0 : from.version)}
        >
          {put.isPending ? words.dialog.busy : words.sequence.putDoes}
        </button>
        <button type="button" onClick={() => go(from ? `/sequences/${from.id}` : "/sequences")}>
          {words.dialog.back}
        </button>
        {isChanged && <span class="small quiet">{say.unsaved}</span>}
      </p>
    </>
  );
}

interface PutMeanwhileProps {
  base: Base;
  take: (text: string, version: number) => void;
  keep: (version: number) => void;
}

/** No event tells of a new version: it is looked for by the clock, and where one was in the way. */
const LOOK_MS = 30_000;

/** Somebody else put a version since this was read: what it says, and which of both is to be. */
function PutMeanwhile({ base, take, keep }: PutMeanwhileProps) {
  const now = useRead("readSequence", { path: { ref: base.id } }, { everyMs: LOOK_MS });
  const { data } = now;
  if (!data || data.version <= base.version) return null;
  const by = data.versions.find(({ version }) => version === data.version);
  const theirs = stringify(data.definition);
  return (
    <Meanwhile
      said={say.conflict(data.version, base.version)}
      by={by && say.conflictBy(by.actor, by.created_at)}
      theirs={theirs}
      take={() => take(theirs, data.version)}
      keep={() => keep(data.version)}
      keepMine={say.keepMine}
      keepMineMeans={say.keepMineMeans}
    />
  );
}
