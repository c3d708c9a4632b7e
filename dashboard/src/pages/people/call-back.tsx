import { useState } from "preact/hooks";
import { Link } from "wouter-preact";

import { useAct, useRead } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { Ask } from "../../parts/dialog.tsx";
import { Load } from "../../parts/state.tsx";
import { words } from "../../words.ts";

const say = words.person;

/** That the API lists at once. */
const MOST_SEQUENCES = 100;

/** Has somebody called by a sequence, under its own hours and rules: nobody is called past them. */
export function CallBack({ phone }: { phone: string }) {
  const may = useMay("enroll");
  const [ref, setRef] = useState("");
  const [begun, setBegun] = useState<{ id: string; isNew: boolean }>();
  const enroll = useAct(async (client) => {
    const { enrolment_id: id, result } = await client.enroll({ path: { ref }, body: { phone } });
    setBegun({ id, isNew: result === "enrolled" });
  });
  if (!may) return null;
  return (
    <>
      {begun && (
        <span role="status">
          {begun.isNew ? say.calledBack : say.calledBackAlready}{" "}
          <Link href={`/enrolments/${begun.id}`}>{say.theirWay}</Link>
        </span>
      )}
      <Ask
        label={say.callBack}
        title={say.callBackTitle(phone)}
        does={say.callBack}
        blocked={ref === ""}
        act={() => enroll.mutateAsync(undefined)}
      >
        <Sequences chosen={ref} choose={setRef} />
        <p>{say.callBackMeans}</p>
      </Ask>
    </>
  );
}

function Sequences({ chosen, choose }: { chosen: string; choose: (ref: string) => void }) {
  const sequences = useRead("listSequences", { query: { limit: MOST_SEQUENCES } });
  return (
    <Load
      of={sequences}
      empty={{
        when: ({ items }) => items.every(({ state }) => state !== "active"),
        say: (
          <p>
            {say.callBackNone} <Link href="/sequences/new">{words.sequence.fresh}</Link>
          </p>
        ),
      }}
    >
      {({ items }) => (
        <label>
          {say.callBackBy}
          <select value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            <option value="">{words.none}</option>
            {items
              .filter(({ state }) => state === "active")
              .map(({ id, name, brand }) => (
                <option key={id} value={id}>
                  {brand === "default" ? name : `${name} · ${brand}`}
                </option>
              ))}
          </select>
        </label>
      )}
    </Load>
  );
}
