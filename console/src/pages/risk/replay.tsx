// What a proposed version would have matched in a past period, beside the one in force: records, money, examples.

import { Alert, Loader, Stack, Text } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Id } from '../../components/id.tsx';
import { moneyColumn } from '../../components/money.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { RecordLink } from '../../components/record-link.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { dayInWords } from '../../data/moments.ts';
import { usePsps } from '../../data/psps.ts';
import { useOp } from '../../data/use-op.ts';
import { rich } from '../../words/rich.ts';
import { plural, say } from '../../words/words.ts';

type Result = Content<'riskReplay'>;
type Records = Result['newlyMatched'];

const changes = {
  new: { words: say('Newly matched'), tone: 'wait' },
  gone: { words: say('No longer'), tone: 'quiet' },
} as const;

export function Replay({ proposalId }: { readonly proposalId: string }) {
  const { data: r, error, refetch } = useOp('riskReplay', { proposalId }, { asOperator: true, slow: true });
  return (
    <Panel title={say('Effect on the last 30 days')}>
      {error ? <Problem error={error} retry={() => void refetch()} /> : null}
      {!r && !error ? (
        <Text size="sm" aria-busy="true">
          <Loader size="xs" /> {say('The records of 30 days are looked at again …')}
        </Text>
      ) : null}
      {r ? <Shown of={r} /> : null}
    </Panel>
  );
}

function Shown({ of: r }: { readonly of: Result }) {
  const { data: psps } = usePsps();
  const compared =
    r.comparedWith === null
      ? say('nothing, as the rule is new')
      : say('version {comparedWith}, the one before it', { comparedWith: r.comparedWith });
  const rows = [
    ...linesOf(say('Newly matched'), r.newlyMatched),
    ...linesOf(say('No longer matched'), r.noLongerMatched),
    ...linesOf(say('Matched by both'), r.stillMatched),
  ];
  return (
    <Stack>
      <Text size="sm">
        {plural(
          r.looked,
          'Version {version} was compared with {compared}, over {n} record from {from} to {to}.',
          'Version {version} was compared with {compared}, over {n} records from {from} to {to}.',
          { version: r.version, compared, from: dayInWords(r.from), to: dayInWords(r.to) },
        )}{' '}
        {say(
          'It matches {records} that were not matched, and no longer {records2} that were. Nothing is recorded by this.',
          { records: r.newlyMatched.records, records2: r.noLongerMatched.records },
        )}
      </Text>
      {r.complete ? null : (
        <Alert color="brass" title={say('Not all of the period was read')}>
          {say('The figures are of the first {entries} entries of the journal.', { entries: r.entries })}
        </Alert>
      )}
      {r.failures > 0 ? (
        <Alert color="brick" title={say('The condition could not be evaluated everywhere')}>
          {say('{failures} times; it matches nothing there.', { failures: r.failures })}
        </Alert>
      ) : null}
      <DataTable
        label={say('Records and money')}
        pages={{ rows }}
        rowKey={(l) => `${l.what} ${l.currency}`}
        empty={<Empty title={say('Neither version matches a record of these days')} />}
        columns={[
          { key: 'what', header: say('Records'), cell: (l) => l.what },
          { key: 'number', header: say('Number|count'), align: 'right', cell: (l) => l.records },
          moneyColumn('amount', say('Money concerned'), { strong: true }),
        ]}
      />
      {r.examples.length > 0 ? (
        <DataTable
          label={say('Examples')}
          pages={{ rows: r.examples }}
          rowKey={(x) => `${x.change} ${x.recordId} ${x.at}`}
          columns={[
            {
              key: 'record',
              header: say('Example'),
              cell: (x) => <RecordLink pspId={x.pspId} recordId={x.recordId} />,
            },
            {
              key: 'change',
              header: say('Change|noun'),
              cell: (x) => (
                <StatusBadge status={x.change} tone={changes[x.change].tone} label={changes[x.change].words} />
              ),
            },
            {
              key: 'psp',
              header: 'PSP',
              cell: (x) => psps?.find((p) => p.pspId === x.pspId)?.name ?? <Id value={x.pspId} />,
            },
            { key: 'at', header: say('Decided'), cell: (x) => <Stamp at={x.at} /> },
            moneyColumn('amount', say('Amount')),
          ]}
        />
      ) : null}
      <Text size="sm" c="dimmed">
        {rich('The same period gives the same hash: {hash}', { hash: <Id value={r.hash} what={say('hash')} /> })}
      </Text>
    </Stack>
  );
}

const linesOf = (what: string, of: Records) => of.lines.map((line) => ({ what, ...line }));
