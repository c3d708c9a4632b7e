import type { ActivityDeps } from "../../activities/deps.ts";
import { isRowToBlame, type Beside, type Sealed } from "../../domain/ground/sealed.ts";
import type { Db } from "../../ledger/ground/connection.ts";
import { raiseAttention } from "../../ledger/ground/attention.ts";
import { writeAudit } from "../../ledger/ground/audit.ts";
import { createGuestBreather } from "../../ledger/ground/breather.ts";
import { CannotOpenError, type DataKeys } from "../../ledger/ground/data-keys.ts";
import {
  BESIDE,
  listSealedWith,
  SEALED_TABLES,
  writeSealedAnew,
  type PagedSealedRow,
  type SealedTable,
} from "../../ledger/ground/sealed-rows.ts";

/*
 * Seals with the current key what an older one has sealed, so that the older one can be taken out of the settings.
 *
 * 1. What does not open because its row was changed beside Outdial is known by those beside it, as where it is dialed
 *    (domain/ground/sealed.ts); and only as long as those are still sealed with the same key, or are in this walk's memory.
 *    So it is concluded here, before they move: the row goes on as it is under the current key's id, among those that it
 *    stood among, and its person alone is excluded when they are due. The audit has which rows that were, and of which key.
 * 2. Where that can't be concluded nothing is written. Such rows are passed by, and told by their number once a turn.
 */

/** Rows of one statement: some milliseconds of the embedded ledger's connection, and of row locks. */
const AT_ONCE = 100;

/** Statements of one turn: a hundred thousand rows, and the next turn goes on. */
const MOST_A_TURN = 1_000;

/** Of a page, rows that do not open: more of them are no accident of single rows. */
const MOST_DAMAGED_OF_A_PAGE = 10;

/** Of rows that do not open, so many are named; who mended these is told of the next. */
const MOST_NAMED = 5;

type Deps = Pick<ActivityDeps, "ledger" | "dataKeys" | "log" | "now">;

/** How far a walk has come that a turn did not bring to its end: what does not open keeps no later row from its turn. */
interface Place {
  after: string;
  /** Whether the last rows before it opened. */
  last: readonly boolean[];
}

/** By table and key; bounded by both. Whoever begins without them begins at the beginning, and nothing is lost. */
export type Places = Map<string, Place>;

/** Values that do not open with the key of their id, and nothing shows that it is their rows that are wrong. */
class NotSealedAnewError extends Error {
  override readonly name = "NotSealedAnewError";
}

/**
 * One turn. Safe to repeat, to be cut off and to be done by two: a row is written only where it is still sealed with the
 * key that its values were opened with.
 *
 * @param places where the turn before was cut off, and this one is.
 * @returns how many contacts and enrolments were sealed anew.
 * @throws where some could not be, once everything else had its turn.
 */
export async function sealAnew(deps: Deps, places: Places = new Map()): Promise<number> {
  const { dataKeys, log } = deps;
  const sealed = { contacts: 0, enrolments: 0 };
  const unopened = new Map<string, { n: number; first: string[] }>();
  let left = MOST_A_TURN;
  for (const keyId of dataKeys?.ids.slice(1) ?? []) {
    for (const table of SEALED_TABLES) {
      const went = await sealTable(deps, { table, keyId, most: left, places });
      left -= went.statements;
      sealed[table] += went.written;
      if (went.unopened === 0) continue;
      const { n, first } = unopened.get(keyId) ?? { n: 0, first: [] };
      unopened.set(keyId, { n: n + went.unopened, first: [...first, ...went.first].slice(0, MOST_NAMED) });
    }
  }
  const all = sealed.contacts + sealed.enrolments;
  if (all > 0) log.info(sealed, "sensitive values were sealed with the current data key");
  if (unopened.size > 0)
    throw new NotSealedAnewError(
      `sensitive values of ${[...unopened].map(([keyId, { n, first }]) => `${n} rows do not open with the data key ${keyId} (${first.join(", ")}${n > first.length ? ", and others" : ""})`).join(", of ")}: either another key has its id, or their rows were changed beside Outdial; they stay as they are`,
    );
  return all;
}

interface Went {
  statements: number;
  written: number;
  unopened: number;
  /** The first of these, as somebody looks for them. */
  first: string[];
}

async function sealTable(
  deps: Deps,
  { table, keyId, most, places }: { table: SealedTable; keyId: string; most: number; places: Places },
): Promise<Went> {
  const { ledger, dataKeys } = deps;
  const went: Went = { statements: 0, written: 0, unopened: 0, first: [] };
  if (dataKeys === undefined) return went;
  const of = `${table} ${keyId}`;
  const breathe = createGuestBreather();
  let place = places.get(of);
  for (let isLeft = true; isLeft && went.statements < most; went.statements += 1) {
    // Some more than are written, for those that the last ones stand beside.
    const limit = AT_ONCE + BESIDE;
    const found = await listSealedWith(ledger.db, { table, keyId, after: place?.after, limit });
    const read = await openEach(dataKeys, { keyId, found, breathe });
    isLeft = found.length === limit;
    const page = isLeft ? read.slice(0, AT_ONCE) : read;
    const { anew, damaged, unopened } = sort(dataKeys, { table, keyId, read, page, last: place?.last ?? [] });
    went.written += await write(deps, { table, keyId, anew, damaged });
    went.unopened += unopened.length;
    const named = unopened.slice(0, MOST_NAMED - went.first.length);
    went.first.push(...named.map(({ row: { id } }) => `${table} ${id}`));
    const last = [...(place?.last ?? []), ...page.map(({ opened }) => opened !== undefined)].slice(-BESIDE);
    const end = page.at(-1);
    if (end) place = { after: end.row.id, last };
    if (isLeft && place) places.set(of, place);
    else places.delete(of);
  }
  return went;
}

interface ReadRow {
  row: PagedSealedRow;
  /** Undefined: it does not open. */
  opened: Record<string, string> | undefined;
}

async function openEach(
  dataKeys: DataKeys,
  {
    keyId,
    found,
    breathe,
  }: { keyId: string; found: readonly PagedSealedRow[]; breathe: () => Promise<void> },
): Promise<ReadRow[]> {
  const read: ReadRow[] = [];
  for (const row of found) {
    read.push({ row, opened: openOf(dataKeys, keyId, row) });
    await breathe();
  }
  return read;
}

function openOf(
  dataKeys: DataKeys,
  keyId: string,
  { phone, values }: PagedSealedRow,
): Record<string, string> | undefined {
  try {
    return dataKeys.open(phone, { with: keyId, values });
  } catch (error) {
    if (error instanceof CannotOpenError) return undefined;
    throw error;
  }
}

interface Written {
  id: string;
  sealed: Sealed;
}

/** What is to be done with the rows of a page. */
function sort(
  dataKeys: DataKeys,
  given: {
    table: SealedTable;
    keyId: string;
    page: readonly ReadRow[];
    read: readonly ReadRow[];
    last: readonly boolean[];
  },
): { anew: Written[]; damaged: Written[]; unopened: ReadRow[] } {
  const { table, page, read, last } = given;
  const anew = page.flatMap(({ row: { id, phone }, opened }) =>
    opened === undefined ? [] : [{ id, sealed: dataKeys.seal(phone, opened) }],
  );
  const unopened = page.filter(({ opened }) => opened === undefined);
  const current = dataKeys.currentId;
  if (current === undefined || unopened.length > MOST_DAMAGED_OF_A_PAGE)
    return { anew, damaged: [], unopened };
  const toBlame = new Set(unopened.filter((one) => isToBlame(table, one, read, last)));
  const damaged = [...toBlame].map(({ row: { id, values } }) => ({ id, sealed: { with: current, values } }));
  return { anew, damaged, unopened: unopened.filter((one) => !toBlame.has(one)) };
}

function isToBlame(
  table: SealedTable,
  one: ReadRow,
  read: readonly ReadRow[],
  last: readonly boolean[],
): boolean {
  const inOrder = read.toSorted((a, b) => a.row.at - b.row.at);
  const at = inOrder.indexOf(one);
  const openedOf = (rows: readonly ReadRow[]) => rows.map(({ opened }) => opened !== undefined);
  const before = openedOf(inOrder.slice(0, at));
  const after = openedOf(inOrder.slice(at + 1)).slice(0, BESIDE);
  switch (table) {
    case "contacts":
      return isRowToBlame({ before: [...last, ...before].slice(-BESIDE), after });
    case "enrolments":
      // A page is a sample from all times: a few on one side may stand for many, and prove nothing.
      return isBetween({ before: before.slice(-BESIDE), after });
  }
}

const isBetween = ({ before, after }: Beside) =>
  isRowToBlame({ before, after: [] }) && isRowToBlame({ before: [], after });

/** Damaged ones go with those that prove it, or these wait for them: the next turn finds all of them again. */
async function write(
  { ledger, now }: Deps,
  { table, keyId, anew, damaged }: { table: SealedTable; keyId: string; anew: Written[]; damaged: Written[] },
): Promise<number> {
  if (anew.length === 0 && damaged.length === 0) return 0;
  return ledger.transaction(async (tx) => {
    const marked = damaged.length === 0 ? [] : await writeSealedAnew(tx, { table, keyId, anew: damaged });
    if (marked.length > 0) {
      await tellDamaged(tx, { keyId, n: marked.length, nowMs: now() });
      await writeAudit(tx, {
        nowMs: now(),
        actor: "engine",
        action: "data_key.unreadable",
        detail: { table, ids: marked, key: keyId, now_under: damaged[0]?.sealed.with ?? "" },
      });
    }
    if (marked.length < damaged.length || anew.length === 0) return 0;
    return (await writeSealedAnew(tx, { table, keyId, anew })).length;
  });
}

/** With what it tells of, so that nobody has to find that again. */
async function tellDamaged(
  tx: Db,
  { keyId, n, nowMs }: { keyId: string; n: number; nowMs: number },
): Promise<void> {
  await raiseAttention(tx, {
    kind: "values_unreadable",
    subject: `data key ${keyId}`,
    brand: "default",
    summary: `sensitive values of rows (${n} in the newest entry of the audit) do not open with the data key ${keyId}, while those of others do: they are left as they are, under the current key, and whoever they are of is excluded as \`values_unreadable\` when they are due`,
    remedy:
      "`outdial audit` has their table and ids as `data_key.unreadable`; enter whoever they are of again, with their values; then resolve this",
    nowMs,
  });
}
