import { useQuery } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import type { components } from "outdial/api";

import { useAct, useClient } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { term } from "../../format.ts";
import { Ask } from "../../parts/dialog.tsx";
import { Load } from "../../parts/state.tsx";
import { words } from "../../words.ts";

const say = words.forgetting;

/** Forgets a person, for whoever may: what goes and what stays is said before it. */
export function Forget({ phone }: { phone: string }) {
  const may = useMay("forgetPerson");
  const [, go] = useLocation();
  const [asHash, setAsHash] = useState(false);
  const [isSeen, setSeen] = useState(false);
  const forget = useAct(async (client, reason: string | undefined) => {
    const { forgetting } = await client.forgetPerson({
      path: { phone },
      body: { reason: reason ?? "", as_hash: asHash },
    });
    if (forgetting) go(`/forgettings/${forgetting.id}`);
  });
  if (!may) return null;
  return (
    <Ask
      label={say.does}
      title={say.title(phone)}
      does={say.does}
      danger
      reason="needed"
      blocked={!isSeen}
      act={(reason) => forget.mutateAsync(reason)}
    >
      <p>{say.means}</p>
      <Preview phone={phone} seen={() => setSeen(true)} />
      <label class="inline">
        <input
          type="checkbox"
          checked={asHash}
          onChange={({ currentTarget }) => setAsHash(currentTarget.checked)}
        />
        {say.asHash}
      </label>
    </Ask>
  );
}

/** Nobody forgets anybody before having been told what that is. */
function Preview({ phone, seen }: { phone: string; seen: () => void }) {
  const client = useClient();
  const preview = useQuery({
    queryKey: ["previewForgetting", phone],
    queryFn: async ({ signal }) => {
      const answer = await client.forgetPerson({
        path: { phone },
        body: { reason: say.looked, dry_run: true },
        signal,
      });
      seen();
      return answer.preview;
    },
    staleTime: 0,
  });
  return <Load of={preview}>{(found) => <Shown found={found} />}</Load>;
}

function Shown({ found }: { found: components.ForgetPreview }) {
  const rows = Object.entries(found.rows).filter(([, n]) => n > 0);
  return (
    <div class="stack">
      {found.waits_for !== null && <p class="note warn">{say.waitsFor(found.waits_for)}</p>}
      <p>{say.atPlatform(found.calls, found.recordings)}</p>
      <dl class="facts small">
        {rows.map(([table, n]) => (
          <div key={table} style={{ display: "contents" }}>
            <dt>{say.rows(term(table), n)}</dt>
            <dd>{found.becomes[table] ?? words.none}</dd>
          </div>
        ))}
      </dl>
      <Elsewhere of={found.elsewhere} />
    </div>
  );
}

export function Elsewhere({ of }: { of: components.ForgetPreview["elsewhere"] }) {
  if (of.length === 0) return null;
  return (
    <div class="stack small">
      <h3>{say.elsewhere}</h3>
      <ul>
        {of.map(({ where, what }) => (
          <li key={`${where} ${what}`}>
            <strong>{where}</strong> {what}
          </li>
        ))}
      </ul>
    </div>
  );
}
