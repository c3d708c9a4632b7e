import type { Api } from "../api/client.ts";

/** Of one document: a file that people still open. */
const NUMBERS_A_DOCUMENT = 5_000;

const PAGE = 1_000;

const DECLARED = "declared:";

interface Group {
  /** Of the list that brought them, where they were declared. */
  name: string | undefined;
  brand: string | undefined;
  reason: string;
  numbers: string[];
}

/** Suppressions as documents: those of one scope and reason together, declared ones under their lists' names. */
export async function exportSuppressions(
  api: Api,
): Promise<{ documents: Record<string, unknown>[]; endingSoon: number; hashed: number }> {
  const groups = new Map<string, Group>();
  let endingSoon = 0;
  let hashed = 0;
  let after: string | undefined;
  do {
    const page: Awaited<ReturnType<Api["suppressions"]["list"]>> = await api.suppressions.list({
      after,
      limit: PAGE,
    });
    for (const { phone, brand, reason, source, expires_at } of page.items) {
      if (expires_at !== null) {
        endingSoon += 1;
        continue;
      }
      // Kept by its digest for somebody who was forgotten: of this installation's own key, and no number elsewhere.
      if (!phone.startsWith("+")) {
        hashed += 1;
        continue;
      }
      const name = source.startsWith(DECLARED) ? source.slice(DECLARED.length) : undefined;
      const key = JSON.stringify([name, brand, reason]);
      const group = groups.get(key) ?? { name, brand: brand ?? undefined, reason, numbers: [] };
      group.numbers.push(phone);
      groups.set(key, group);
    }
    after = page.next_after ?? undefined;
  } while (after !== undefined);
  return { documents: documentsOf([...groups.values()]), endingSoon, hashed };
}

function documentsOf(groups: readonly Group[]): Record<string, unknown>[] {
  const names = new Set(groups.flatMap(({ name }) => (name === undefined ? [] : [name])));
  const used = new Set<string>();
  return groups.flatMap(({ name, brand, reason, numbers }) => {
    const documents = [];
    for (let from = 0; from < numbers.length; from += NUMBERS_A_DOCUMENT) {
      const scope = brand === undefined ? { global: true } : { brand };
      // Its own name once for each scope; what follows must not be taken for another list.
      const own = name !== undefined && !used.has(`${brand ?? ""} ${name}`) ? name : undefined;
      documents.push({
        kind: "suppression-list",
        name: nextName(own, brand ?? "", names, used),
        ...scope,
        reason,
        numbers: numbers.slice(from, from + NUMBERS_A_DOCUMENT).toSorted(),
      });
    }
    return documents;
  });
}

function nextName(
  own: string | undefined,
  brand: string,
  names: ReadonlySet<string>,
  used: Set<string>,
): string {
  if (own !== undefined) {
    used.add(`${brand} ${own}`);
    return own;
  }
  for (let nth = 1; ; nth += 1) {
    const name = `suppressed-${nth}`;
    if (names.has(name) || used.has(`${brand} ${name}`)) continue;
    used.add(`${brand} ${name}`);
    return name;
  }
}
