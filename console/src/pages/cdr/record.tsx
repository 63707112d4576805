// The page of one call detail record: the call, its class and its taxes, each with its rule and source.

import { Anchor, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ClientName } from '../../components/client-name.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Money, moneyColumn } from '../../components/money.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import type { Column } from '../../components/plain-table.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TaxReason } from '../../components/tax-reason.tsx';
import { percent } from '../../data/amounts.ts';
import type { Content } from '../../data/assay.ts';
import { countryName } from '../../data/countries.ts';
import { usePath } from '../../data/path.ts';
import { useMay } from '../../data/session.tsx';
import { taxNamed } from '../../data/tax-names.ts';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { say } from '../../words/words.ts';
import { ByReturn } from './by-return.tsx';
import { className, duration } from './parts.ts';

type Cdr = Content<'getCdr'>;
type Analysis = NonNullable<Cdr['analysis']>;
const above = [
  { title: say('Call records'), to: '/cdr' },
  { title: say('Records'), to: '/cdr/records' },
];

export default function RecordPage() {
  const cdrId = usePath('cdrId');
  const { data, error, refetch } = useOp('getCdr', { cdrId }, { expand: 'tax' });
  if (!data) return <Unfetched title={say('Call detail record')} above={above} error={error} refetch={refetch} />;
  return (
    <>
      <PageHeader
        title={data.record.cdr_id}
        above={above}
        beside={<StatusBadge status={data.callType} tone="note" />}
        actions={data.withdrawal ? undefined : <Withdraw cdr={data} />}
      />
      <Stack>
        {data.withdrawal ? <Withdrawn withdrawal={data.withdrawal} /> : null}
        <Call cdr={data} />
        {data.warnings.length > 0 ? <Warnings cdr={data} /> : null}
        {data.analysis ? (
          <Analysed analysis={data.analysis} />
        ) : (
          <Panel title={say('Analysis')}>
            <Empty title={say('Not analysed yet')}>
              {say('Records are analysed within moments of being recorded.')}
            </Empty>
          </Panel>
        )}
        <Panel title={say('As it came')}>
          <JsonView label={say('The record as JSON')} value={data.record} />
        </Panel>
      </Stack>
    </>
  );
}

function Withdraw({ cdr }: { readonly cdr: Cdr }) {
  const may = useMay('withdrawCdr');
  const withdraw = useDo('withdrawCdr', { done: say('Withdrawn') });
  return may ? (
    <ConfirmButton
      label={say('Withdraw')}
      question={say('Withdraw this record?')}
      reason="required"
      danger
      onConfirm={(reason) => withdraw.mutateAsync({ cdrId: cdr.cdrId, reason })}
    >
      {say(
        'It stays as it was recorded and counts no more; its taxes are taken off. To record it with other content, correct it by a file or by the API.',
      )}
    </ConfirmButton>
  ) : null;
}

function Withdrawn({ withdrawal: w }: { readonly withdrawal: NonNullable<Cdr['withdrawal']> }) {
  return (
    <Panel title={w.supersededBy ? say('Corrected') : say('Withdrawn')}>
      <Facts
        columns={2}
        items={[
          [say('Since'), <Stamp key="w" at={w.withdrawnAt} show="both" />],
          [say('Reason'), w.reason],
          !!w.supersededBy && [
            say('In its place'),
            <Id key="s" value={w.supersededBy} what={say('record id')} to={`/cdr/records/${w.supersededBy}`} />,
          ],
        ]}
      />
    </Panel>
  );
}

function Call({ cdr: { record: r, ...cdr } }: { readonly cdr: Cdr }) {
  return (
    <Panel title={say('Call')}>
      <Facts
        columns={2}
        items={[
          [say('Caller'), r.caller_number],
          [say('Called'), r.receiver_number],
          [say('Began'), <Stamp key="b" at={r.call_start_time} />],
          [say('Ended'), <Stamp key="e" at={r.call_end_time} />],
          [say('Duration'), duration(r.call_duration_seconds)],
          [say('Status'), r.call_status],
          [say('Network'), r.network_provider],
          [
            say('Cost'),
            <Money key="c" amount={r.billing_information.call_cost} currency={r.billing_information.currency} />,
          ],
          r.billing_information.data_used_kb !== undefined && [
            say('Data'),
            <Money key="kb" amount={r.billing_information.data_used_kb} currency="kB" />,
          ],
          [say('Account'), <ClientName key="w" id={cdr.clientId} link />],
          [say('Recorded'), <Stamp key="r" at={cdr.createdAt} show="both" />],
          [say('Id'), <Id key="id" value={cdr.cdrId} what={say('record id')} full />],
        ]}
      />
    </Panel>
  );
}

function Warnings({ cdr }: { readonly cdr: Cdr }) {
  return (
    <Panel title={say('Warnings')} flush>
      <DataTable
        label={say('Warnings')}
        pages={{ rows: cdr.warnings }}
        rowKey={(w) => `${w.column} ${w.code}`}
        columns={[
          { key: 'column', header: say('Column'), cell: (w) => w.column },
          { key: 'code', header: say('Code'), cell: (w) => w.code },
          { key: 'message', header: say('What is odd'), cell: (w) => w.message },
        ]}
      />
    </Panel>
  );
}

function Analysed({ analysis: a }: { readonly analysis: Analysis }) {
  return (
    <>
      <Panel title={say('Analysis')}>
        <Facts
          columns={2}
          items={[
            [say('Class'), className(a.class)],
            [
              say('Counts in'),
              a.late
                ? say('{period}, late for {callPeriod}', { period: a.period, callPeriod: a.callPeriod })
                : a.period,
            ],
            !!a.withdrawnIn && [say('Taken off in'), a.withdrawnIn],
            [say('Country'), countryName(a.country)],
            [say('Other country'), a.otherCountry],
            [say('Answered'), a.answered ? say('yes') : say('no')],
            [say('Tax'), <Money key="t" amount={a.tax} currency={a.currency} strong />],
            a.byReturn.length > 0 && [say('Due by return'), <ByReturn key="r" of={a.byReturn} />],
            !!a.finding && [say('Finding'), <StatusBadge key="f" status={a.finding} tone="wait" />],
            [say('Tax data'), a.dataset],
            [say('Number ranges'), a.ranges],
          ]}
        />
      </Panel>
      <Panel title={say('Taxes')} flush>
        <Taxes
          label={say('Taxes on this record')}
          taxes={a.taxes.filter((t) => t.method === 'ADDED')}
          empty={<Empty title={say('No tax rule applies to this record')} />}
        />
      </Panel>
      {a.byReturn.length > 0 ? (
        <Panel title={say('Due by return')} flush>
          <Text size="sm" c="dimmed" px="md" pb="sm">
            {say('The operator owes these by a return of the period. They are no part of the tax of the call.')}
          </Text>
          <Taxes
            label={say('Taxes due by return')}
            taxes={a.taxes.filter((t) => t.method === 'BY_RETURN')}
            also={[{ key: 'authority', header: say('Paid to'), cell: (t) => t.authority ?? <Nothing /> }]}
          />
        </Panel>
      ) : null}
    </>
  );
}

type Tax = Analysis['taxes'][number];

function Taxes({
  label,
  taxes,
  empty,
  also = [],
}: {
  readonly label: string;
  readonly taxes: readonly Tax[];
  readonly empty?: ReactNode;
  /** Columns before the law. */
  readonly also?: readonly Column<Tax>[];
}) {
  return (
    <DataTable
      label={label}
      pages={{ rows: taxes }}
      rowKey={(t) => t.ruleId}
      empty={empty}
      columns={[
        { key: 'tax', header: say('Tax'), cell: (t) => taxNamed(t.taxCode) },
        { key: 'rule', header: say('Rule'), cell: (t) => t.ruleId },
        {
          key: 'rate',
          header: say('Rate'),
          align: 'right',
          cell: (t) =>
            t.unitAmount ? (
              <Money amount={t.unitAmount} currency={`per ${t.base ?? say('unit')}`} />
            ) : t.rate ? (
              percent(t.rate)
            ) : (
              <Nothing />
            ),
        },
        {
          key: 'taxable',
          header: say('Taxable'),
          align: 'right',
          cell: (t) => <Money amount={t.taxable ?? t.quantity} currency={t.taxable ? t.currency : undefined} />,
        },
        moneyColumn('tax', say('Amount'), { key: 'amount', strong: true }),
        { key: 'why', header: say('Why none'), cell: (t) => <TaxReason reason={t.reason} />, wideOnly: true },
        ...also,
        { key: 'law', header: say('Law'), cell: (t) => <Law line={t} /> },
      ]}
    />
  );
}

function Law({ line }: { readonly line: Tax }) {
  const source = line.source as { url?: unknown } | null;
  const url = typeof source?.url === 'string' ? source.url : undefined;
  const words = line.legalRef ?? line.note;
  if (!words && !url) return <Nothing />;
  return url ? (
    <Anchor href={url} target="_blank" rel="noreferrer" size="sm">
      {words ?? say('Source')}
    </Anchor>
  ) : (
    <Text inherit component="span">
      {words}
    </Text>
  );
}
