import type { ComponentChildren } from "preact";

export interface Column<Row> {
  name: string;
  /** Numbers stand at the end. */
  end?: boolean;
  /** What names the row, read out with each of its cells. */
  heads?: boolean;
  cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  caption: string;
  /** The title above says it already. */
  hideCaption?: boolean;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
}

export function Table<Row>({ caption, hideCaption = false, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={caption}>
      <table>
        <caption class={hideCaption ? "visually-hidden" : ""}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, end }) => (
              <th key={name} scope="col" class={end ? "end" : ""}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, end, heads, cell }) =>
                heads ? (
                  <th key={name} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={name} class={end ? "end" : ""}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
