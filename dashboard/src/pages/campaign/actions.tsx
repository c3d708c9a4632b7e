import { useAct, useRead } from "../../api/client.ts";
import { useMay } from "../../api/session.ts";
import { Ask } from "../../parts/dialog.tsx";
import { words } from "../../words.ts";
import type { PartProps } from "./part.ts";

const say = words.campaign;

/** What may be done with a campaign in its state; each asks first. */
export function CampaignActions({ campaign: { id, name, state, spec } }: PartProps) {
  const may = useMay("startCampaign");
  const path = { ref: id };
  const start = useAct((client, reason: string | undefined) =>
    client.startCampaign({ path, body: { reason } }),
  );
  const pause = useAct((client, reason: string | undefined) =>
    client.pauseCampaign({ path, body: { reason } }),
  );
  const resume = useAct((client, reason: string | undefined) =>
    client.resumeCampaign({ path, body: { reason } }),
  );
  const approve = useAct((client, reason: string | undefined) =>
    client.approveCampaign({ path, body: { reason } }),
  );
  const cancel = useAct((client, reason: string | undefined) =>
    client.cancelCampaign({ path, body: { reason: reason ?? "" } }),
  );
  const canary = useRead(
    "readCanary",
    { path },
    { enabled: may && state === "paused" && spec["canary"] !== undefined },
  );
  if (!may) return null;
  const waits = canary.data?.approval === "waiting";
  const isOver = state === "completed" || state === "cancelled";
  return (
    <>
      {state === "scheduled" && (
        <Ask
          label={say.start}
          title={say.startTitle(name)}
          does={say.start}
          mainAction
          reason="may"
          act={(reason) => start.mutateAsync(reason)}
        />
      )}
      {state === "paused" && waits && (
        <Ask
          mainAction
          label={say.approve}
          title={say.approveTitle}
          does={say.approve}
          reason="may"
          act={(reason) => approve.mutateAsync(reason)}
        >
          <p>{say.canary(canary.data?.canary ?? 0)}</p>
        </Ask>
      )}
      {state === "paused" && !waits && (
        <Ask
          label={say.resume}
          title={say.resumeTitle(name)}
          does={say.resume}
          mainAction
          reason="may"
          act={(reason) => resume.mutateAsync(reason)}
        >
          <p>{say.resumeMeans}</p>
        </Ask>
      )}
      {state === "running" && (
        <Ask
          label={say.pause}
          title={say.pauseTitle(name)}
          does={say.pause}
          mainAction
          reason="may"
          act={(reason) => pause.mutateAsync(reason)}
        >
          <p>{say.pauseMeans}</p>
        </Ask>
      )}
      {!isOver && (
        <Ask
          label={say.cancel}
          title={say.cancelTitle(name)}
          does={say.cancel}
          danger
          reason="needed"
          act={(reason) => cancel.mutateAsync(reason)}
        >
          <p>{say.cancelMeans}</p>
        </Ask>
      )}
    </>
  );
}
