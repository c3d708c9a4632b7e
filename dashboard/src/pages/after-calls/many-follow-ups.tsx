import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Client, components } from "outdial/api";

import { useMay } from "../../api/session.ts";
import { Bulk, each, type Task } from "../../parts/bulk.tsx";
import { Choice } from "../../parts/choice.tsx";
import { ChooseAll, chosenColumn, useChosen } from "../../parts/chosen.tsx";
import type { Column } from "../../parts/table.tsx";
import { words } from "../../words.ts";

const say = words.followUps;

export type Showing = "failed" | "open" | "done";

type FollowUp = components.FollowUp;
type State = components.Action["state"];

/** More than these are done in several rounds: each is read before it is counted. */
const MOST = 1_000;
const PAGE = 200;

interface ManyProps {
  showing: Showing;
  /** Of this page. */
  items: readonly FollowUp[];
  /** Of all pages. */
  total: number;
  children: (choosing: readonly Column<FollowUp>[]) => ComponentChildren;
}

/** A list of follow-ups, of which many are told something at once: those that are chosen, or all of the list. */
export function ManyFollowUps({ showing, items, total, children }: ManyProps) {
  const may = useMay("retryAction");
  const ids = items.map(({ id }) => id);
  const chosen = useChosen(ids);
  const [said, setSaid] = useState("");
  if (!may || showing === "open") return <>{children([])}</>;
  return (
    <>
      {items.length > 0 && (
        <Tools showing={showing} chosen={chosen.chosen} total={total} clear={chosen.clear} tell={setSaid}>
          <ChooseAll chosen={chosen} ids={ids} />
        </Tools>
      )}
      <p role="status">{said}</p>
      {children([chosenColumn<FollowUp>(chosen, ({ phone }) => say.of(phone))])}
    </>
  );
}

interface ToolsProps {
  showing: "failed" | "done";
  chosen: readonly string[];
  total: number;
  clear: () => void;
  tell: (says: string) => void;
  children: ComponentChildren;
}

function Tools({ showing, chosen, total, clear, tell, children }: ToolsProps) {
  const [scope, setScope] = useState<"chosen" | "all">("chosen");
  const [unknownToo, setUnknownToo] = useState(false);
  const isOfAll = scope === "all";
  const states: readonly State[] =
    showing === "done" ? ["done"] : unknownToo ? ["failed", "unknown"] : ["failed"];
  const count = async (client: Client, told: (found: number) => void) =>
    tasksOf(client, isOfAll ? await everyId(client, showing) : chosen, { states, told });
  return (
    <div class="stack">
      <div class="row">
        {children}
        <Choice
          label={say.which}
          options={[
            ["chosen", say.chosen(chosen.length)],
            ["all", say.every(total, MOST)],
          ]}
          value={scope}
          choose={setScope}
        />
        {showing === "failed" && (
          <label class="inline">
            <input
              type="checkbox"
              checked={unknownToo}
              onChange={({ currentTarget }) => setUnknownToo(currentTarget.checked)}
            />
            {say.unknownToo}
          </label>
        )}
      </div>
      <div class="row">
        {showing === "failed" ? (
          <>
            <Bulk
              label={say.retry}
              count={count}
              title={say.retryAllTitle}
              {...(unknownToo && { means: say.unknownMeans })}
              reason="may"
              act={(client, { id }, reason) => client.retryAction({ path: { id }, body: { reason } })}
              tell={tell}
              done={clear}
            />
            <Bulk
              label={say.skip}
              count={count}
              title={say.skipAllTitle}
              danger
              reason="needed"
              act={(client, { id }, reason) => client.skipAction({ path: { id }, body: { reason } })}
              tell={tell}
              done={clear}
            />
          </>
        ) : (
          <Bulk
            label={say.replay}
            count={count}
            title={say.replayAllTitle}
            means={say.replayMeans}
            reason="needed"
            act={(client, { id }, reason) => client.replayAction({ path: { id }, body: { reason } })}
            tell={tell}
            done={clear}
          />
        )}
      </div>
    </div>
  );
}

/** All of the list, page by page, up to the bound. */
async function everyId(client: Client, showing: "failed" | "done"): Promise<string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const page = await client.listFollowUps({
      query: {
        ...(showing === "failed" ? { failed: true } : { state: "done" as const }),
        limit: PAGE,
        after,
      },
    });
    ids.push(...page.items.map(({ id }) => id));
    after = page.next_after ?? undefined;
  } while (after !== undefined && ids.length < MOST);
  return ids.slice(0, MOST);
}

interface Wanted {
  states: readonly State[];
  told: (found: number) => void;
}

/** What of them there is to be done, as the ledger has it now. */
async function tasksOf(client: Client, ids: readonly string[], { states, told }: Wanted): Promise<Task[]> {
  const found = new Map<string, Task[]>();
  let tasks = 0;
  await each(ids, async (id) => {
    const { actions } = await client.readFollowUp({ path: { id } });
    const some = actions.filter(({ state }) => states.includes(state));
    found.set(
      id,
      some.map(({ id: action, kind }) => ({ id: action, kind })),
    );
    tasks += some.length;
    told(tasks);
  });
  return ids.flatMap((id) => found.get(id) ?? []);
}
