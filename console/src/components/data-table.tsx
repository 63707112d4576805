// A list of records: its rows, and above them their number, the time zone, saved views and the list as a file.
import { ListBar } from './list-bar.tsx';
import { type DataTableProps, PlainTable } from './plain-table.tsx';

export type { Column, DataTableProps, Paged, Sorting } from './plain-table.tsx';

export function DataTable<R>(p: DataTableProps<R>) {
  const { source, rows, more, loading } = p.pages;
  return (
    <>
      {source ? <ListBar label={p.label} source={source} whole={loading || more ? undefined : rows?.length} /> : null}
      <PlainTable {...p} />
    </>
  );
}
