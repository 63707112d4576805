// One record that an authority sees: its taxes, and its receipt, which is checked in this browser.

import { Grid, Stack } from '@mantine/core';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { PlainTable } from '../../components/plain-table.tsx';
import { ReceiptPanel } from '../../components/receipt-panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { type Content, call } from '../../data/assay.ts';
import { dayInWords } from '../../data/moments.ts';
import { usePath } from '../../data/path.ts';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { between, say } from '../../words/words.ts';
import { Items } from '../baskets/items.tsx';
import { typeName } from '../transactions/words.ts';
import { logKey } from './log-key.ts';
import { kindWords } from './pages.ts';
import { Status, TaxNamed } from './records.tsx';

const above = [{ title: say('Records'), to: '/authority' }];

export default function AuthorityRecord() {
  const recordId = usePath('recordId');
  const { data, error, refetch } = useOp('getAuthorityRecord', { recordId });
  if (error || !data) return <Unfetched title={say('Record')} above={above} error={error} refetch={refetch} />;
  return <Shown record={data} />;
}

function Shown({ record: r }: { readonly record: Content<'getAuthorityRecord'> }) {
  const { recordId, currency, amount } = r;
  const field = r.type === 'transaction' ? 'totalAmount' : 'amount';
  return (
    <>
      <PageHeader
        title={r.ref ?? recordId}
        above={above}
        lead={`${kindWords[r.type]}${between}${r.clientName}${between}${r.pspName}`}
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            <Panel title={say('Record')}>
              <Facts
                items={[
                  [say('Status'), <Status key="status" record={r} />],
                  [say('Amount'), <Money key="amount" amount={amount} currency={currency} strong />],
                  [say('Tax date'), dayInWords(r.day)],
                  [say('Recorded'), <Stamp key="at" at={r.createdAt} show="both" />],
                  [say('Account'), r.clientName],
                  ['PSP', r.pspName],
                  [say('Type'), r.type === 'transaction' ? typeName(r.operation) : kindWords[r.type]],
                  [say('Number'), <Id key="id" value={recordId} full what={say('record id')} />],
                ]}
              />
            </Panel>
            <Panel title={r.status === 'DECLINED' ? say('Taxes, had it been approved') : say('Taxes')} flush>
              <PlainTable
                label={say('Taxes')}
                pages={{ rows: r.taxes }}
                rowKey={(t) => t.rule}
                columns={[
                  { key: 'tax', header: say('Tax'), cell: (t) => <TaxNamed tax={t} /> },
                  { key: 'rule', header: say('Rule'), cell: (t) => t.rule, wideOnly: true },
                  {
                    key: 'taxable',
                    header: say('Taxable'),
                    align: 'right',
                    cell: (t) => <Money amount={t.taxable} currency={currency} />,
                  },
                  {
                    key: 'due',
                    header: say('Tax amount'),
                    align: 'right',
                    cell: (t) => <Money amount={t.tax} currency={currency} />,
                  },
                ]}
              />
            </Panel>
            {r.basketId === null ? null : <Basket recordId={recordId} />}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <ReceiptPanel
            shown={{ recordId, values: { [field]: String(amount), currency, ref: r.ref } }}
            source={{
              receipt: () => call('getAuthorityReceipt', { recordId }, {}),
              key: () => logKey(r.pspId),
            }}
          />
        </Grid.Col>
      </Grid>
    </>
  );
}

function Basket({ recordId }: { readonly recordId: string }) {
  const { data } = useOp('getAuthorityBasket', { recordId });
  return data ? (
    <Panel title={say('Basket')} flush>
      <Items basket={data} />
    </Panel>
  ) : null;
}
