import { useState } from "preact/hooks";

import { useAct, useRead } from "../../api/client.ts";
import type { Role } from "../../api/rights.ts";
import { Ask } from "../../parts/dialog.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { Pill } from "../../parts/pill.tsx";
import { Load } from "../../parts/state.tsx";
import { Table } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";
import { words } from "../../words.ts";

const say = words.tokens;
const ROLES: readonly Role[] = ["viewer", "operator", "admin"];

/** Who may what. */
export function TokensPage() {
  const tokens = useRead("listTokens", {});
  const [secret, setSecret] = useState<string>();
  return (
    <Page title={words.pages.tokens} actions={<Create onCreated={setSecret} />}>
      {secret !== undefined && (
        <div class="note good" role="status">
          <p>{say.once}</p>
          <p>
            <code>{secret}</code>
          </p>
          <p>
            <button type="button" onClick={() => setSecret(undefined)}>
              {say.kept}
            </button>
          </p>
        </div>
      )}
      <Section title={say.all}>
        <Load of={tokens} empty={{ when: ({ items }) => items.length === 0, say: say.none }}>
          {({ items }) => (
            <Table
              caption={say.all}
              hideCaption
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { name: say.name, heads: true, cell: ({ name }) => name },
                { name: say.role, cell: ({ role }) => words.roles[role] },
                { name: say.brands, cell: ({ brands }) => brands?.join(", ") ?? say.everyBrand },
                {
                  name: words.campaign.state,
                  cell: ({ revoked_at: revoked, expired }) =>
                    revoked !== null ? (
                      <Pill state={say.revoked} tone="bad" />
                    ) : (
                      <Pill state={expired ? say.expired : say.good} tone={expired ? "warn" : "good"} />
                    ),
                },
                { name: say.lastUsed, cell: ({ last_used_at: at }) => <When at={at} /> },
                { name: say.expires, cell: ({ expires_at: at }) => <When at={at} /> },
                {
                  name: say.revoke,
                  cell: ({ name, revoked_at: revoked }) => revoked === null && <Revoke name={name} />,
                },
              ]}
            />
          )}
        </Load>
      </Section>
    </Page>
  );
}

function Revoke({ name }: { name: string }) {
  const revoke = useAct((client, reason: string | undefined) =>
    client.revokeToken({ path: { name }, body: { reason: reason ?? "" } }),
  );
  return (
    <Ask
      label={say.revoke}
      title={say.revokeTitle(name)}
      does={say.revoke}
      danger
      reason="needed"
      act={(reason) => revoke.mutateAsync(reason)}
    >
      <p>{say.revokeMeans}</p>
    </Ask>
  );
}

function Create({ onCreated }: { onCreated: (secret: string) => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [brands, setBrands] = useState("");
  const create = useAct(async (client) => {
    const some = brands.split(/[\s,;]+/).filter((brand) => brand !== "");
    const { secret } = await client.createToken({
      body: { name: name.trim(), role, ...(some.length > 0 && { brands: some }) },
    });
    onCreated(secret);
  });
  return (
    <Ask
      label={say.create}
      title={say.createTitle}
      does={say.create}
      mainAction
      blocked={name.trim() === ""}
      act={() => create.mutateAsync(undefined)}
    >
      <label>
        {say.name}
        <input value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </label>
      <label>
        {say.role}
        <select
          value={role}
          onChange={({ currentTarget }) =>
            setRole(ROLES.find((one) => one === currentTarget.value) ?? "viewer")
          }
        >
          {ROLES.map((one) => (
            <option key={one} value={one}>
              {words.roles[one]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {say.brands}
        <input value={brands} onInput={({ currentTarget }) => setBrands(currentTarget.value)} />
        <small>{say.brandsHint}</small>
      </label>
    </Ask>
  );
}
