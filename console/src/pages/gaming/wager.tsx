// One wager: its stake, its taxes, and its payouts.

import { Grid, Stack } from '@mantine/core';
import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Money, moneyColumn } from '../../components/money.tsx';
import { NamedPersons } from '../../components/named-persons.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { ReceiptPanel } from '../../components/receipt-panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import type { Content } from '../../data/assay.ts';
import { countryName } from '../../data/countries.ts';
import { isIdOf } from '../../data/id-kind.ts';
import { dayInWords } from '../../data/moments.ts';
import { usePath } from '../../data/path.ts';
import { useOp, usePages } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { type GamingEvidence, GamingTaxes } from './taxes.tsx';

type Wager = Content<'getWager'> & GamingEvidence;
const above = [{ title: say('Wagers'), to: '/gaming' }];

export default function WagerPage() {
  const wagerId = usePath('wagerId');
  const { data, error, refetch } = useOp('getWager', { wagerId }, { expand: 'tax' });
  if (error || !data) return <Unfetched title={say('Wager')} above={above} error={error} refetch={refetch} />;
  return <Shown wager={data as Wager} />;
}

function Shown({ wager: w }: { readonly wager: Wager }) {
  const { amount, currency } = w;
  return (
    <>
      <PageHeader
        title={w.ref}
        above={above}
        lead={rich('Stake with {client} · {createdAt}', {
          client: <ClientName id={w.clientId} link />,
          createdAt: <Stamp at={w.createdAt} show="both" />,
        })}
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            <Payouts wager={w} />
            <GamingTaxes record={w} list="/gaming" />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack>
            <Panel title={say('Record')}>
              <Facts
                items={[
                  [say('Stake'), <Money key="amount" amount={amount} currency={currency} strong />],
                  [say('Product line'), w.type],
                  [say('Wager'), <Id key="id" value={w.wagerId} full what={say('wager id')} />],
                  [say('Country'), countryName(w.countryCode)],
                  [say('Tax date'), dayInWords(w.localDate)],
                  [say('Network of the player'), w.ipNetwork],
                  [say('Recorded by'), <ClientName key="by" id={w.recordedBy} link />],
                ]}
              />
            </Panel>
            <Panel title={say('Customer')}>
              <NamedPersons recordId={w.wagerId} />
            </Panel>
            <ReceiptPanel shown={{ recordId: w.wagerId, values: { amount, currency, ref: w.ref } }} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Payouts({ wager: w }: { readonly wager: Wager }) {
  const pages = usePages('listPayouts', {
    wagerReference: w.ref,
    ...(isIdOf('client', w.clientId) ? { clientId: w.clientId } : {}),
  });
  return (
    <Panel title={say('Payouts on this wager')} flush>
      <DataTable
        label={say('Payouts of this wager')}
        pages={pages}
        rowKey={(p) => p.payoutId}
        rowTo={(p) => `/gaming/payouts/${p.payoutId}`}
        empty={
          <Empty title={say('Nothing was paid out')}>
            {say("A payout names the wager's ref when it is captured.")}
          </Empty>
        }
        columns={[
          { key: 'ref', header: say('Ref'), cell: (p) => p.ref },
          moneyColumn('amount', say('Amount')),
          { key: 'at', header: say('Paid'), cell: (p) => <Stamp at={p.createdAt} /> },
        ]}
      />
    </Panel>
  );
}
