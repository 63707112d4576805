// What a proposed version would have matched in a past period, beside the one in force: records, money, examples.
import { Alert, Loader, Stack, Text } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Id } from '../../components/id.tsx';
import { Money } from '../../components/money.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { RecordLink } from '../../components/record-link.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { dayInWords } from '../../data/moments.ts';
import { usePsps } from '../../data/psps.ts';
import { useOp } from '../../data/use-op.ts';

type Result = Content<'riskReplay'>;
type Records = Result['newlyMatched'];

const changes = { new: { words: 'Newly matched', tone: 'wait' }, gone: { words: 'No longer', tone: 'quiet' } } as const;

export function Replay({ proposalId }: { readonly proposalId: string }) {
  const { data: r, error, refetch } = useOp('riskReplay', { proposalId }, { asOperator: true });
  return (
    <Panel title="Effect on the last 30 days">
      {error ? <Problem error={error} retry={() => void refetch()} /> : null}
      {!r && !error ? (
        <Text size="sm" aria-busy="true">
          <Loader size="xs" /> The records of 30 days are looked at again …
        </Text>
      ) : null}
      {r ? <Shown of={r} /> : null}
    </Panel>
  );
}

function Shown({ of: r }: { readonly of: Result }) {
  const { data: psps } = usePsps();
  const compared =
    r.comparedWith === null ? 'nothing, as the rule is new' : `version ${r.comparedWith}, which is in force`;
  const rows = [
    ...linesOf('Newly matched', r.newlyMatched),
    ...linesOf('No longer matched', r.noLongerMatched),
    ...linesOf('Matched by both', r.stillMatched),
  ];
  return (
    <Stack>
      <Text size="sm">
        {`Version ${r.version} was compared with ${compared}, over ${r.looked} ${r.looked === 1 ? 'record' : 'records'} from ${dayInWords(r.from)} to ${dayInWords(r.to)}. ` +
          `It matches ${r.newlyMatched.records} that were not matched, and no longer ${r.noLongerMatched.records} that were. Nothing is recorded by this.`}
      </Text>
      {r.complete ? null : (
        <Alert color="brass" title="Not all of the period was read">
          {`The figures are of the first ${r.entries} entries of the journal.`}
        </Alert>
      )}
      {r.failures > 0 ? (
        <Alert color="brick" title="The condition could not be evaluated everywhere">
          {`${r.failures} times; it matches nothing there.`}
        </Alert>
      ) : null}
      <DataTable
        label="Records and money"
        pages={{ rows }}
        rowKey={(l) => `${l.what} ${l.currency}`}
        empty={<Empty title="Neither version matches a record of these days" />}
        columns={[
          { key: 'what', header: 'Records', cell: (l) => l.what },
          { key: 'number', header: 'Number', align: 'right', cell: (l) => l.records },
          {
            key: 'amount',
            header: 'Money concerned',
            align: 'right',
            cell: (l) => <Money amount={l.amount} currency={l.currency} strong />,
          },
        ]}
      />
      {r.examples.length > 0 ? (
        <DataTable
          label="Examples"
          pages={{ rows: r.examples }}
          rowKey={(x) => `${x.change} ${x.recordId} ${x.at}`}
          columns={[
            {
              key: 'record',
              header: 'Example',
              cell: (x) => <RecordLink pspId={x.pspId} recordId={x.recordId} />,
            },
            {
              key: 'change',
              header: 'Change',
              cell: (x) => (
                <StatusBadge status={x.change} tone={changes[x.change].tone} label={changes[x.change].words} />
              ),
            },
            {
              key: 'psp',
              header: 'PSP',
              cell: (x) => psps?.find((p) => p.pspId === x.pspId)?.name ?? <Id value={x.pspId} />,
            },
            { key: 'at', header: 'Decided', cell: (x) => <Stamp at={x.at} /> },
            {
              key: 'amount',
              header: 'Amount',
              align: 'right',
              cell: (x) => <Money amount={x.amount} currency={x.currency} />,
            },
          ]}
        />
      ) : null}
      <Text size="sm" c="dimmed">
        The same period gives the same hash: <Id value={r.hash} what="hash" />
      </Text>
    </Stack>
  );
}

const linesOf = (what: string, of: Records) => of.lines.map((line) => ({ what, ...line }));
