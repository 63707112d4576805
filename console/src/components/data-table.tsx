// A list of records: its rows, and above them their number, the time zone, its columns, saved views and the list as a file.
import { useColumns } from './column-chooser.tsx';
import { ListBar } from './list-bar.tsx';
import { type DataTableProps, PlainTable } from './plain-table.tsx';

export type { DataTableProps } from './plain-table.tsx';

export function DataTable<R>(p: DataTableProps<R>) {
  const { source, rows, more, loading } = p.pages;
  const columns = useColumns(p.columns);
  if (!source) return <PlainTable {...p} />;
  return (
    <>
      <ListBar label={p.label} source={source} whole={loading || more ? undefined : rows?.length} columns={columns} />
      <PlainTable {...p} columns={columns.shown} />
    </>
  );
}
