// The rows of a list: a table on wide screens, cards on narrow ones; cursor paging, and loading, empty and failed states.

import { Box, Button, Group, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ListSource, Total } from '../data/list-source.ts';
import { rich } from '../words/rich.ts';
import { plural, say } from '../words/words.ts';
import classes from './data-table.module.css';
import { Cards } from './data-table-cards.tsx';
import { Rows } from './data-table-rows.tsx';
import { Empty } from './empty.tsx';
import { Problem } from './problem.tsx';

export interface Column<R> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: R) => ReactNode;
  /** For figures. */
  readonly align?: 'right';
  /** The API's name of this sort order, if the list supports it. */
  readonly sort?: string;
  /** What has to be chosen before this order can be. */
  readonly sortNeeds?: string;
  /** Not shown on cards. */
  readonly wideOnly?: boolean;
}

export interface Sorting {
  readonly by: string | undefined;
  readonly descending: boolean;
  set(by: string, descending: boolean): void;
  /** Goes back to the usual order; undefined in it. */
  readonly reset?: (() => void) | undefined;
}

/** The result of `usePages`; a list that is already loaded can be passed as `{ rows }`. */
export interface Paged<R> {
  readonly rows: readonly R[] | undefined;
  /** Where the rows come from; without it, neither counted nor downloaded. */
  readonly source?: ListSource | undefined;
  readonly error?: unknown;
  readonly loading?: boolean;
  /** The rows are still those of the filters or the order before. */
  readonly stale?: boolean;
  /** How many rows there are; null if the service does not say. */
  readonly total?: Total | null;
  readonly more?: boolean;
  readonly loadingMore?: boolean;
  loadMore?(): void;
  retry?(): void;
}

export interface DataTableProps<R> {
  /** What the list contains, for screen readers. */
  readonly label: string;
  /** The first column names the row and carries its link. */
  readonly columns: readonly Column<R>[];
  readonly pages: Paged<R>;
  readonly rowKey: (row: R) => string;
  /** The console path of the row's page. */
  readonly rowTo?: (row: R) => string | undefined;
  readonly sorting?: Sorting;
  readonly empty?: ReactNode;
  /** For tables of many columns: small type, and headings that wrap. */
  readonly dense?: boolean;
}

/** The rows alone, for a list without a source, such as a part of a page. */
export function PlainTable<R>(p: DataTableProps<R>) {
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const { rows, error, loading, stale, more, loadingMore, loadMore, retry } = p.pages;
  const { box, begin } = useFocusOnNew(rows?.length);
  if (error && !rows)
    return (
      <Box p="md">
        <Problem error={error} {...(retry ? { retry } : {})} />
        {p.sorting?.reset ? (
          <Button mt="sm" variant="default" onClick={p.sorting.reset}>
            {say('Show in the usual order')}
          </Button>
        ) : null}
      </Box>
    );
  if (!rows || loading || (stale && rows.length === 0))
    return (
      <Box p="md" aria-busy="true">
        <VisuallyHidden role="status">{rich('{label}: loading', { label: p.label })}</VisuallyHidden>
        {[92, 100, 86, 97, 90].map((w) => (
          <Skeleton key={w} height={18} width={`${w}%`} my={14} />
        ))}
      </Box>
    );
  if (rows.length === 0) return p.empty ?? <Empty title={say('Nothing here yet')} />;
  return (
    <>
      <div ref={box} className={classes.rows} aria-busy={stale ?? false}>
        {narrow ? <Cards {...p} rows={rows} /> : <Rows {...p} rows={rows} />}
      </div>
      {more ? (
        <Group justify="center" p="sm">
          <Button variant="default" loading={loadingMore ?? false} onClick={() => begin(loadMore)}>
            {say('Show more')}
          </Button>
        </Group>
      ) : null}
      <VisuallyHidden role="status">
        {stale ? rich('{label}: loading', { label: p.label }) : plural(rows.length, '{n} row shown', '{n} rows shown')}
      </VisuallyHidden>
      {error ? (
        <Text size="sm" c="brick" p="sm">
          {say('Not brought up to date; the rows are those of a moment ago.')}
        </Text>
      ) : null}
    </>
  );
}

/** Rows that are shown when more is asked for take the focus: they are before the button, which is gone with the last ones. */
function useFocusOnNew(count = 0) {
  const box = useRef<HTMLDivElement>(null);
  const from = useRef(Number.POSITIVE_INFINITY);
  useEffect(() => {
    if (count <= from.current) return;
    const row = box.current?.querySelectorAll<HTMLElement>('tbody > tr, :scope > ul > li')[from.current];
    from.current = Number.POSITIVE_INFINITY;
    if (row) row.tabIndex = -1;
    (row?.querySelector('a') ?? row)?.focus();
  }, [count]);
  const begin = (loadMore: (() => void) | undefined) => {
    from.current = count;
    loadMore?.();
  };
  return { box, begin };
}
