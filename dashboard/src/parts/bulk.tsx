import { useState } from "preact/hooks";
import type { Client } from "outdial/api";

import { useAct, useClient, wordsOf } from "../api/client.ts";
import { words } from "../words.ts";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./state.tsx";

/** One thing that is to be done, as one request. */
export interface Task {
  id: string;
  /** What it is counted under: `webhook`, `tag`. */
  kind: string;
}

interface BulkProps {
  label: string;
  /** Finds out how much it is, before anybody is asked. */
  count: (client: Client, told: (found: number) => void) => Promise<readonly Task[]>;
  title: (tasks: number) => string;
  means?: string;
  danger?: boolean;
  reason?: "may" | "needed";
  act: (client: Client, task: Task, reason: string | undefined) => Promise<unknown>;
  /** How it ended; told to whoever stays, since the list that it stands in may be gone by then. */
  tell: (says: string) => void;
  done?: () => void;
}

/** Requests at a time: whoever works beside this is to notice nothing. */
const AT_A_TIME = 4;

type Stage =
  | { is: "idle" }
  | { is: "counting"; found: number }
  | { is: "asking"; tasks: readonly Task[] }
  | { is: "failed"; error: unknown };

/** Much at once: counted first, asked about with the count, then done one by one, and told what was not done and why. */
export function Bulk({ label, count, title, means, danger, reason, act, tell, done }: BulkProps) {
  const client = useClient();
  const [stage, setStage] = useState<Stage>({ is: "idle" });
  const [through, setThrough] = useState(0);
  const run = useAct(async (by, { tasks, why }: { tasks: readonly Task[]; why: string | undefined }) => {
    const refused: string[] = [];
    await each(tasks, async (task) => {
      // Somebody else may have been faster with one: the others are done all the same.
      await act(by, task, why).catch((error: unknown) => refused.push(wordsOf(error).title));
      setThrough((before) => before + 1);
    });
    tell(words.bulk.said(tasks.length - refused.length, refused));
    done?.();
  });
  const ask = async () => {
    tell("");
    setThrough(0);
    setStage({ is: "counting", found: 0 });
    try {
      const tasks = await count(client, (found) => setStage({ is: "counting", found }));
      setStage(tasks.length === 0 ? { is: "idle" } : { is: "asking", tasks });
      if (tasks.length === 0) tell(words.bulk.nothing);
    } catch (error) {
      setStage({ is: "failed", error });
    }
  };
  const close = () => setStage((now) => (now.is === "asking" ? { is: "idle" } : now));
  return (
    <>
      <button
        type="button"
        class={danger ? "danger" : ""}
        aria-disabled={stage.is === "counting" || run.isPending}
        onClick={() => {
          if (stage.is !== "counting" && !run.isPending) void ask();
        }}
      >
        {stage.is === "counting" ? words.bulk.counting(stage.found) : label}
      </button>
      {stage.is === "failed" && <Failure error={stage.error} />}
      {stage.is === "asking" && (
        <Dialog
          title={title(stage.tasks.length)}
          does={label}
          {...(danger !== undefined && { danger })}
          {...(reason !== undefined && { reason })}
          act={(why) => run.mutateAsync({ tasks: stage.tasks, why })}
          close={close}
          toldOutside
        >
          <ul>
            {kindsOf(stage.tasks).map(([kind, n]) => (
              <li key={kind}>{words.bulk.of(kind, n)}</li>
            ))}
          </ul>
          {means !== undefined && <p>{means}</p>}
          {run.isPending && <p role="status">{words.bulk.through(through, stage.tasks.length)}</p>}
        </Dialog>
      )}
    </>
  );
}

function kindsOf(tasks: readonly Task[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { kind } of tasks) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
}

/** Some at a time, in their order. */
export async function each<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const work = async () => {
    for (const item of waiting) await act(item);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
}
