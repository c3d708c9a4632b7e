import type { components } from "outdial/api";

import { Table } from "../../../parts/table.tsx";
import { words } from "../../../words.ts";
import type { Head } from "./list-file.ts";

const say = words.fresh;

/** What a column can be said to be; `as_found` leaves it to its header, `variable` gives it a name of its own. */
const ROLES = [
  "as_found",
  "phone",
  "time_zone",
  "region",
  "country",
  "state",
  "postal_code",
  "consent_basis",
  "consent_at",
  "consent_proof",
  "consent_expires_at",
  "variable",
] as const;

type Role = (typeof ROLES)[number];

/** What somebody said of columns, by their headers; of others the headers say it. */
export type Said = Readonly<Record<string, { role: Role; name: string }>>;

/** As the API takes it: roles and new names, each with its column. */
export function mapOf(said: Said): string {
  const map: Record<string, string> = {};
  for (const [column, { role, name }] of Object.entries(said)) {
    if (role === "as_found") continue;
    const key = role === "variable" ? name.trim() : role;
    if (key !== "") map[key] = column;
  }
  return JSON.stringify(map);
}

interface ColumnsProps {
  head: Head;
  /** As the server has read them, once it has. */
  found: components.Validation["layout"]["columns"] | undefined;
  said: Said;
  change: (said: Said) => void;
}

/** Which column is what: guessed from its header, and changed here where the guess is wrong. */
export function Columns({ head, found, said, change }: ColumnsProps) {
  const rows = head.columns.map((name, n) => ({ name, key: `${n} ${name}`, sample: head.sample[n] ?? "" }));
  return (
    <Table
      caption={say.columns}
      rows={rows}
      keyOf={({ key }) => key}
      columns={[
        { name: say.column, heads: true, cell: ({ name }) => <code>{name}</code> },
        { name: say.sample, cell: ({ sample }) => sample || words.none },
        {
          name: say.role,
          cell: ({ name }) => {
            const now = said[name] ?? { role: "as_found", name: "" };
            const guessed = found?.find((column) => column.name === name)?.role;
            return (
              <span class="row">
                <select
                  aria-label={say.roleOf(name)}
                  value={now.role}
                  onChange={({ currentTarget }) => {
                    const role = ROLES.find((one) => one === currentTarget.value) ?? "as_found";
                    change({ ...said, [name]: { role, name: now.name } });
                  }}
                >
                  {ROLES.map((role) => (
                    <option key={role} value={role}>
                      {role === "as_found" && guessed !== undefined
                        ? say.asFound(roleName(guessed))
                        : say.roles[role]}
                    </option>
                  ))}
                </select>
                {now.role === "variable" && (
                  <input
                    aria-label={say.nameOf(name)}
                    placeholder={say.newName}
                    value={now.name}
                    onInput={({ currentTarget }) =>
                      change({ ...said, [name]: { role: "variable", name: currentTarget.value } })
                    }
                  />
                )}
              </span>
            );
          },
        },
      ]}
    />
  );
}

function roleName(role: string): string {
  return role in say.roles ? say.roles[role as keyof typeof say.roles] : role;
}
