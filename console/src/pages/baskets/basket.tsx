// One basket: its items with the tax of each, which sum to the basket's, and the transaction it became.

import { Button, Grid, Group, List, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { ClientName } from '../../components/client-name.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { ReceiptPanel } from '../../components/receipt-panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import type { Content } from '../../data/assay.ts';
import { countryName } from '../../data/countries.ts';
import { sumsTo } from '../../data/exact.ts';
import { usePath } from '../../data/path.ts';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { BasketBadge } from './baskets.tsx';
import { Items } from './items.tsx';

type Basket = Content<'getBasket'>;
const above = [{ title: say('Baskets'), to: '/baskets' }];

export default function BasketPage() {
  const basketId = usePath('basketId');
  const { data, error, refetch } = useOp('getBasket', { basketId });
  if (error || !data) return <Unfetched title={say('Basket')} above={above} error={error} refetch={refetch} />;
  return <Shown basket={data} />;
}

function Shown({ basket: b }: { readonly basket: Basket }) {
  const { totalAmount, vatAmount, currency, transactionId } = b;
  const { data: payment } = useOp('getTransaction', { transactionId }, { enabled: b.status === 'VERIFIED' });
  // What the payment says may change the tax: then its own counts.
  const differing = (payment?.observations ?? []).filter((o) => o.code === 'BASKET_TAX_DIFFERS');
  const differs = payment && differing.length > 0;
  const observations = [...b.observations, ...differing];
  return (
    <>
      <PageHeader
        title={b.ref}
        above={above}
        beside={<BasketBadge status={b.status} />}
        lead={rich('Basket of {client} · {createdAt}', {
          client: <ClientName id={b.clientId} link />,
          createdAt: <Stamp at={b.createdAt} show="both" />,
        })}
        actions={
          <Button component={Link} to={`/transactions/${transactionId}`} variant="default">
            {say('To its transaction')}
          </Button>
        }
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack>
            <Panel title={say('Items')} flush>
              <Items basket={b} />
              <SumOfVat basket={b} />
            </Panel>
            {observations.length > 0 ? (
              <Panel title={say('Observations')}>
                <List size="sm" spacing={4}>
                  {observations.map((o) => (
                    <List.Item key={`${o.code}${o.field}`}>
                      {o.message} <Text span inherit c="dimmed">{`(${o.code})`}</Text>
                    </List.Item>
                  ))}
                </List>
              </Panel>
            ) : null}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack>
            <Panel title={say('Record')}>
              <Facts
                items={[
                  [say('Total'), <Money key="total" amount={totalAmount} currency={currency} strong />],
                  [
                    differs ? say('Tax as submitted') : say('Tax'),
                    <Money key="vat" amount={vatAmount} currency={currency} strong />,
                  ],
                  differs && [
                    say('Tax of the payment, which counts'),
                    <Money key="paid" amount={payment.vatAmount} currency={currency} strong />,
                  ],
                  [say('Basket'), <Id key="id" value={b.basketId} full what={say('basket id')} />],
                  [
                    say('Transaction'),
                    <Id
                      key="txn"
                      value={transactionId}
                      to={`/transactions/${transactionId}`}
                      what={say('transaction id')}
                    />,
                  ],
                  [say('Country'), countryName(b.countryCode)],
                  [say('Revision'), String(b.revision)],
                  [say('Last changed'), <Stamp key="updated" at={b.updatedAt} />],
                ]}
              />
            </Panel>
            <ReceiptPanel
              shown={{ recordId: b.basketId, values: { status: b.status, totalAmount, vatAmount, currency } }}
            />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function SumOfVat({ basket: b }: { readonly basket: Basket }) {
  const whole = sumsTo(b.lineVat, b.vatAmount);
  const Icon = whole ? IconCircleCheck : IconCircleX;
  return (
    <Group gap={8} p="md" wrap="nowrap" align="flex-start" style={{ borderTop: '1px solid var(--assay-line)' }}>
      <Icon
        size={18}
        color={`var(--mantine-color-${whole ? 'verdigris-6' : 'brick-5'})`}
        style={{ flex: 'none' }}
        aria-hidden
      />
      <Text size="sm" component="div">
        {rich('Tax of the items {whole} {vatAmount}', {
          whole: whole ? say('sums exactly to') : say('does not sum to'),
          vatAmount: <Money amount={b.vatAmount} currency={b.currency} strong />,
        })}
      </Text>
    </Group>
  );
}
