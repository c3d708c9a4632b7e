import { useRef, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import type { components } from "outdial/api";

import { useRead } from "../../api/client.ts";
import { count, duration, money } from "../../format.ts";
import { Page, Section } from "../../parts/page.tsx";
import { Pill } from "../../parts/pill.tsx";
import { Load } from "../../parts/state.tsx";
import { Proof } from "../../parts/when.tsx";
import { words } from "../../words.ts";
import type { Params } from "../../parts/params.ts";
import { PersonLink } from "../../parts/person-link.tsx";

const say = words.call;

/** A call: what it came to, and what the platform kept of it. */
export function CallPage({ params }: { params: Params }) {
  // The platform is asked each time, and has more to say for some minutes after a call.
  const call = useRead("readCall", { path: { id: params["id"] ?? "" } }, { everyMs: 60_000 });
  // Where the platform can't be asked for once, whoever listens is not cut off.
  const withSound = useRef<string | null>(null);
  if (call.data?.platform?.has_recording) withSound.current = call.data.call_id;
  return (
    <Page title={call.data ? say.title(call.data.phone) : words.states.loading}>
      <Load of={call}>
        {(found) => (
          <>
            <Facts call={found} />
            {found.call_id !== null && found.call_id === withSound.current && (
              <Recording id={found.call_id} phone={found.phone} />
            )}
            <Transcript call={found} />
          </>
        )}
      </Load>
    </Page>
  );
}

function Facts({ call }: { call: components.CallDetail }) {
  const { phone, zones, disposition, campaign, campaign_id: id, duration_seconds: seconds, cost } = call;
  return (
    <section class="section" aria-label={say.title(phone)}>
      <p class="row">
        {disposition !== null && <Pill state={disposition} />}
        <PersonLink phone={phone} />
        <Link href={`/campaigns/${id}`}>{campaign}</Link>
        <span class="quiet">{call.disposition_reason}</span>
      </p>
      <dl class="facts">
        <dt>{say.began}</dt>
        <dd>
          <Proof at={call.started_at} zone={zones[0]} />
        </dd>
        <dt>{say.ended}</dt>
        <dd>
          <Proof at={call.ended_at} zone={zones[0]} />
        </dd>
        <dt>{words.campaign.length}</dt>
        <dd>{seconds === null ? words.none : duration(seconds)}</dd>
        <dt>{words.campaign.cost}</dt>
        <dd>{cost === null ? words.none : money(cost)}</dd>
        <dt>{say.attempt}</dt>
        <dd>{count(call.attempt_no)}</dd>
        <dt>{say.agent}</dt>
        <dd>
          <code>{call.agent_id}</code>{" "}
          {call.agent_version !== null && words.sequence.versionOf(call.agent_version)}
        </dd>
        <dt>{words.campaign.from}</dt>
        <dd class="number">{call.from_number}</dd>
      </dl>
    </section>
  );
}

/** It is asked for once somebody listens, part by part, and stands in the audit then. */
function Recording({ id, phone }: { id: string; phone: string }) {
  const [isSilent, setSilent] = useState(false);
  const address = `/v1/calls/${encodeURIComponent(id)}/recording`;
  return (
    <Section title={say.recording}>
      <div class="row">
        <audio
          controls
          preload="none"
          src={address}
          aria-label={say.listen(phone)}
          onError={() => setSilent(true)}
          onPlaying={() => setSilent(false)}
        />
        <a href={address} download={`${id}.ogg`}>
          {say.download}
        </a>
      </div>
      {isSilent && (
        <p class="note warn" role="alert">
          {say.noSound}
        </p>
      )}
    </Section>
  );
}

function Transcript({ call: { platform, platform_unknown: unknown } }: { call: components.CallDetail }) {
  if (platform === null) {
    return unknown === null ? null : (
      <p class="note warn">
        {say.platformUnknown}: {unknown}
      </p>
    );
  }
  return (
    <>
      <Section title={say.transcript}>
        {platform.transcript.length === 0 ? (
          <p class="quiet">{say.noTranscript}</p>
        ) : (
          <dl class="facts">
            {platform.transcript.map((turn, n) => {
              const { who, said } = turnOf(turn);
              return (
                // oxlint-disable-next-line react/no-array-index-key -- turns have no ids, and stay in their places
                <div key={n} style={{ display: "contents" }}>
                  <dt>{who}</dt>
                  <dd>{said}</dd>
                </div>
              );
            })}
          </dl>
        )}
      </Section>
      {Object.keys(platform.data).length > 0 && (
        <Section title={say.data}>
          <pre tabIndex={0} aria-label={say.data}>
            {JSON.stringify(platform.data, undefined, 2)}
          </pre>
        </Section>
      )}
    </>
  );
}

/** The platform's words for who spoke and what was said differ by version. */
function turnOf(turn: unknown): { who: string; said: string } {
  const of: Record<string, unknown> = Object(turn);
  const who = of["role"] ?? of["speaker"];
  const said = of["content"] ?? of["text"] ?? of["message"];
  return {
    who: typeof who === "string" ? who : words.none,
    said: typeof said === "string" ? said : JSON.stringify(turn),
  };
}
