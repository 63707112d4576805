// The wide form of a list: a table that scrolls in its own region, with sortable headings and rows that link.
import { Table, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import classes from './data-table.module.css';
import type { Column, DataTableProps, Sorting } from './data-table.tsx';

export function Rows<R>(p: DataTableProps<R> & { readonly rows: readonly R[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.scroll} aria-label={p.label} tabIndex={0}>
      <Table className={p.dense ? `${classes.table} ${classes.dense}` : classes.table}>
        <Table.Thead>
          <Table.Tr>
            {p.columns.map((c) => (
              <Table.Th key={c.key} ta={c.align ?? 'left'} {...order(c, p.sorting)} scope="col">
                {c.sort && p.sorting ? <SortButton column={c} sorting={p.sorting} /> : c.header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {p.rows.map((row) => {
            const to = p.rowTo?.(row);
            return (
              <Table.Tr key={p.rowKey(row)} className={to ? classes.leads : undefined}>
                {p.columns.map((c, i) => (
                  <Table.Td key={c.key} ta={c.align ?? 'left'}>
                    {i === 0 && to ? (
                      <Link to={to} className={classes.link}>
                        {c.cell(row)}
                      </Link>
                    ) : (
                      c.cell(row)
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function order<R>(
  column: Column<R>,
  sorting: Sorting | undefined,
): { 'aria-sort'?: 'ascending' | 'descending' | 'none' } {
  if (!column.sort || !sorting) return {};
  if (sorting.by !== column.sort) return { 'aria-sort': 'none' };
  return { 'aria-sort': sorting.descending ? 'descending' : 'ascending' };
}

function SortButton<R>({ column, sorting }: { readonly column: Column<R>; readonly sorting: Sorting }) {
  const active = sorting.by === column.sort;
  const Icon = active ? (sorting.descending ? IconArrowDown : IconArrowUp) : IconArrowsSort;
  return (
    <UnstyledButton
      className={classes.sort}
      onClick={() => sorting.set(column.sort as string, active ? !sorting.descending : true)}
    >
      {column.header}
      <Icon size={14} aria-hidden />
    </UnstyledButton>
  );
}
