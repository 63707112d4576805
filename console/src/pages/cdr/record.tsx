// The page of one call detail record: the call, its class and its taxes, each with its rule and source.
import { Anchor, Stack, Text } from '@mantine/core';
import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Money } from '../../components/money.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { usePath } from '../../data/path.ts';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { className, duration } from './parts.ts';

type Cdr = Content<'getCdr'>;
type Analysis = NonNullable<Cdr['analysis']>;
const above = [
  { title: 'Call records', to: '/cdr' },
  { title: 'Records', to: '/cdr/records' },
];

export default function RecordPage() {
  const cdrId = usePath('cdrId');
  const { data, error, refetch } = useOp('getCdr', { cdrId }, { expand: 'tax' });
  if (!data) return <Unfetched title="Call detail record" above={above} error={error} refetch={refetch} />;
  return (
    <>
      <PageHeader
        title={data.record.cdr_id}
        above={above}
        beside={<StatusBadge status={data.callType} label={data.callType} tone="note" />}
      />
      <Stack>
        <Call cdr={data} />
        {data.warnings.length > 0 ? <Warnings cdr={data} /> : null}
        {data.analysis ? (
          <Analysed analysis={data.analysis} />
        ) : (
          <Panel title="Analysis">
            <Empty title="Not analysed yet">Records are analysed within moments of being recorded.</Empty>
          </Panel>
        )}
        <Panel title="As it came">
          <JsonView label="The record as JSON" value={data.record} />
        </Panel>
      </Stack>
    </>
  );
}

function Call({ cdr: { record: r, ...cdr } }: { readonly cdr: Cdr }) {
  return (
    <Panel title="Call">
      <Facts
        columns={2}
        items={[
          ['Caller', r.caller_number],
          ['Called', r.receiver_number],
          ['Began', <Stamp key="b" at={r.call_start_time} />],
          ['Ended', <Stamp key="e" at={r.call_end_time} />],
          ['Length', duration(r.call_duration_seconds)],
          ['Status', r.call_status],
          ['Network', r.network_provider],
          [
            'Cost',
            <Money key="c" amount={r.billing_information.call_cost} currency={r.billing_information.currency} />,
          ],
          r.billing_information.data_used_kb !== undefined && [
            'Data',
            <Money key="kb" amount={r.billing_information.data_used_kb} currency="kB" />,
          ],
          ['Account', <ClientName key="w" id={cdr.clientId} link />],
          ['Recorded', <Stamp key="r" at={cdr.createdAt} show="both" />],
          ['Id', <Id key="id" value={cdr.cdrId} what="record id" full />],
        ]}
      />
    </Panel>
  );
}

function Warnings({ cdr }: { readonly cdr: Cdr }) {
  return (
    <Panel title="Warnings" flush>
      <DataTable
        label="Warnings"
        pages={{ rows: cdr.warnings }}
        rowKey={(w) => `${w.column} ${w.code}`}
        columns={[
          { key: 'column', header: 'Column', cell: (w) => w.column },
          { key: 'code', header: 'Code', cell: (w) => w.code },
          { key: 'message', header: 'What is odd', cell: (w) => w.message },
        ]}
      />
    </Panel>
  );
}

function Analysed({ analysis: a }: { readonly analysis: Analysis }) {
  return (
    <>
      <Panel title="Analysis">
        <Facts
          columns={2}
          items={[
            ['Class', className(a.class)],
            ['Counts in', a.late ? `${a.period}, late for ${a.callPeriod}` : a.period],
            ['Country', a.country],
            ['Other country', a.otherCountry],
            ['Answered', a.answered ? 'yes' : 'no'],
            ['Tax', <Money key="t" amount={a.tax} currency={a.currency} strong />],
            !!a.finding && ['Finding', <StatusBadge key="f" status={a.finding} tone="wait" />],
            ['Tax data', a.dataset],
            ['Number ranges', a.ranges],
          ]}
        />
      </Panel>
      <Panel title="Taxes" flush>
        <DataTable
          label="Taxes on this record"
          pages={{ rows: a.taxes }}
          rowKey={(t) => t.ruleId}
          empty={<Empty title="No tax rule applies to this record" />}
          columns={[
            { key: 'tax', header: 'Tax', cell: (t) => t.taxCode },
            { key: 'rule', header: 'Rule', cell: (t) => t.ruleId },
            {
              key: 'rate',
              header: 'Rate',
              align: 'right',
              cell: (t) =>
                t.unitAmount ? (
                  <Money amount={t.unitAmount} currency={`per ${t.base ?? 'unit'}`} />
                ) : t.rate ? (
                  `${t.rate} %`
                ) : (
                  <Nothing />
                ),
            },
            {
              key: 'taxable',
              header: 'Taxable',
              align: 'right',
              cell: (t) => <Money amount={t.taxable ?? t.quantity} currency={t.taxable ? t.currency : undefined} />,
            },
            {
              key: 'amount',
              header: 'Amount',
              align: 'right',
              cell: (t) => <Money amount={t.tax} currency={t.currency} strong />,
            },
            { key: 'why', header: 'Why none', cell: (t) => t.reason ?? <Nothing />, wideOnly: true },
            { key: 'law', header: 'Law', cell: (t) => <Law line={t} /> },
          ]}
        />
      </Panel>
    </>
  );
}

function Law({ line }: { readonly line: Analysis['taxes'][number] }) {
  const source = line.source as { url?: unknown } | null;
  const url = typeof source?.url === 'string' ? source.url : undefined;
  const words = line.legalRef ?? line.note;
  if (!words && !url) return <Nothing />;
  return url ? (
    <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
      {words ?? 'Source'}
    </Anchor>
  ) : (
    <Text inherit component="span">
      {words}
    </Text>
  );
}
