// The PSPs behind a figure of the overview over all of them, for staff. Each leads to its page.

import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Empty } from '../../components/empty.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { PlainTable } from '../../components/plain-table.tsx';
import { among, useFilters } from '../../data/path.ts';
import { pageOf } from '../../data/psp-address.ts';
import { useOp } from '../../data/use-op.ts';
import { locale } from '../../words/language.ts';
import { plural, say } from '../../words/words.ts';
import { type WaitingFigure, waitingFigures } from './waiting-figures.ts';

const all = Object.keys(waitingFigures) as WaitingFigure[];

export default function Waiting() {
  const [filters] = useFilters();
  const figure = among(all, filters.figure) ?? 'disabledWebhooks';
  const { title, to } = waitingFigures[figure];
  const { data, error, isPending, refetch } = useOp('listWaitingPsps', { figure }, { asOperator: true });
  const unlisted = data ? data.psps - data.items.length : 0;
  return (
    <>
      <PageHeader title={title} lead={say('These are of one PSP each: choose whose to look at.')} />
      <Panel title={say('PSPs')} flush>
        <PlainTable
          label={title}
          pages={{ rows: data?.items, error, loading: isPending, retry: () => void refetch() }}
          rowKey={(p) => p.pspId}
          empty={<Empty title={say('Nothing waits')}>{say('Of no PSP is there any now.')}</Empty>}
          columns={[
            {
              key: 'name',
              header: 'PSP',
              cell: (p) => (
                <Anchor component={Link} to={pageOf(p.pspId, to)} size="sm">
                  <bdi>{p.name}</bdi>
                </Anchor>
              ),
            },
            { key: 'count', header: say('How many'), align: 'right', cell: (p) => p.count.toLocaleString(locale) },
          ]}
        />
        {unlisted > 0 ? (
          <Text size="sm" c="dimmed" p="md">
            {plural(unlisted, 'One more PSP has fewer.', '{n} more PSPs have fewer.')}
          </Text>
        ) : null}
      </Panel>
    </>
  );
}
