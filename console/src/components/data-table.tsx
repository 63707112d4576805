// A list of records: its rows, and above them their number, the time zone, its columns, saved views and the list as a file.
import { useFilters } from '../data/path.ts';
import { useColumns } from './column-chooser.tsx';
import { ListBar } from './list-bar.tsx';
import { type DataTableProps, PlainTable } from './plain-table.tsx';

export type { DataTableProps } from './plain-table.tsx';

export function DataTable<R>(p: DataTableProps<R>) {
  const { source, rows, more, loading, stale, total } = p.pages;
  const columns = useColumns(p.columns);
  const [filters] = useFilters();
  if (!source) return <PlainTable {...p} />;
  // The number of the filters before is not that of these.
  const counted = stale ? undefined : total;
  const whole = loading || stale || more ? undefined : rows?.length;
  // A list without rows and without filters has nothing that could be chosen, saved or downloaded.
  const bare = whole === 0 && Object.keys(filters).length === 0;
  return (
    <>
      {bare ? null : <ListBar label={p.label} source={source} whole={whole} counted={counted} columns={columns} />}
      <PlainTable {...p} columns={columns.shown} />
    </>
  );
}
