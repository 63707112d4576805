// One payout: its amount, its taxes, and its wager.

import { Anchor, Grid, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ClientName } from '../../components/client-name.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Money } from '../../components/money.tsx';
import { NamedPersons } from '../../components/named-persons.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { ReceiptPanel } from '../../components/receipt-panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import type { Content } from '../../data/assay.ts';
import { countryName } from '../../data/countries.ts';
import { dayInWords } from '../../data/moments.ts';
import { usePath } from '../../data/path.ts';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { type GamingEvidence, GamingTaxes } from './taxes.tsx';

type Payout = Content<'getPayout'> & GamingEvidence;
const above = [{ title: say('Payouts'), to: '/gaming/payouts' }];

export default function PayoutPage() {
  const payoutId = usePath('payoutId');
  const { data, error, refetch } = useOp('getPayout', { payoutId }, { expand: 'tax' });
  if (error || !data) return <Unfetched title={say('Payout')} above={above} error={error} refetch={refetch} />;
  return <Shown payout={data as Payout} />;
}

function Shown({ payout: p }: { readonly payout: Payout }) {
  const { amount, currency } = p;
  return (
    <>
      <PageHeader
        title={p.ref}
        above={above}
        lead={rich('Payout of {client} · {createdAt}', {
          client: <ClientName id={p.clientId} link />,
          createdAt: <Stamp at={p.createdAt} show="both" />,
        })}
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            <GamingTaxes record={p} list="/gaming/payouts" />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack>
            <Panel title={say('Record')}>
              <Facts
                items={[
                  [say('Amount'), <Money key="amount" amount={amount} currency={currency} strong />],
                  [
                    say('Wager'),
                    <Anchor key="wager" component={Link} to={`/gaming/wagers/${p.wagerId}`} inherit>
                      {p.wagerReference}
                    </Anchor>,
                  ],
                  [say('Payout'), <Id key="id" value={p.payoutId} full what={say('payout id')} />],
                  [say('Country'), countryName(p.countryCode)],
                  [say('Tax date'), dayInWords(p.localDate)],
                  [say('Recorded by'), <ClientName key="by" id={p.recordedBy} link />],
                ]}
              />
            </Panel>
            <Panel title={say('Customer')}>
              <NamedPersons recordId={p.payoutId} />
            </Panel>
            <ReceiptPanel shown={{ recordId: p.payoutId, values: { amount, currency, ref: p.ref } }} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}
