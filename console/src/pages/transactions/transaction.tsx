// One transaction and all that hangs on it: its split and reasons, what was sent, whom it names, its events and deliveries,
// reviews, settlement, history and receipt.

import { Grid, Stack, Text } from '@mantine/core';
import { ClientName } from '../../components/client-name.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Money } from '../../components/money.tsx';
import { NamedPersons } from '../../components/named-persons.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { ReceiptPanel } from '../../components/receipt-panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TaxEvidenceList } from '../../components/tax-evidence.tsx';
import { countryName } from '../../data/countries.ts';
import { usePath } from '../../data/path.ts';
import { useIsClient } from '../../data/session.tsx';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { rich } from '../../words/rich.ts';
import { plural, say } from '../../words/words.ts';
import { HeldWallets } from '../risk/held-wallets.tsx';
import { Actions } from './actions.tsx';
import { Announced } from './announced.tsx';
import { Decision } from './decision.tsx';
import { Dispute } from './dispute.tsx';
import { FeeEvidence } from './fee-evidence.tsx';
import { History } from './history.tsx';
import { LookedAt } from './looked-at.tsx';
import { type Evidenced, parts } from './parts.ts';
import { RequestSent } from './request-sent.tsx';
import { SaleTax } from './sale-tax.tsx';
import { Settled } from './settled.tsx';
import { splitOf } from './split.ts';
import { Waterfall } from './waterfall.tsx';
import { typeName } from './words.ts';

const above = [{ title: say('Transactions'), to: '/transactions' }];

export default function TransactionPage() {
  const transactionId = usePath('transactionId');
  const { data, error, refetch } = useOp('getTransaction', { transactionId }, { expand: parts });
  if (error || !data) return <Unfetched title={say('Transaction')} above={above} error={error} refetch={refetch} />;
  return <Shown transaction={data as Evidenced} />;
}

function Shown({ transaction: t }: { readonly transaction: Evidenced }) {
  const isClient = useIsClient();
  const sealed = {
    status: t.status,
    totalAmount: t.totalAmount,
    currency: t.currency,
    ...Object.fromEntries(splitOf(t).map((p) => [p.key, p.amount])),
  };
  return (
    <>
      <PageHeader
        title={t.ref ?? say('Transaction')}
        above={above}
        beside={
          <>
            <StatusBadge status={t.status} />
            {t.chargeback ? (
              <StatusBadge status={t.chargeback.reversedAt ? 'CHARGEBACK_REVERSED' : 'CHARGED_BACK'} />
            ) : null}
          </>
        }
        lead={rich('{type} of {client} · {createdAt}', {
          type: typeName(t.type),
          client: <ClientName id={t.clientId} link />,
          createdAt: <Stamp at={t.createdAt} show="both" />,
        })}
        actions={<Actions transaction={t} />}
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            <Panel title={say('Split')}>
              {t.status === 'DECLINED' ? (
                <Text size="sm" c="dimmed" mb="xs">
                  {say('Nothing was settled. This is how it would have been split.')}
                </Text>
              ) : null}
              <Waterfall transaction={t} />
            </Panel>
            <Panel title={say('Why this decision')}>
              <Decision transaction={t} />
            </Panel>
            {isClient || !t.type.startsWith('crypto') ? null : (
              <HeldWallets of={{ transactionId: t.transactionId }} named={t.transactionId} />
            )}
            <Panel title={plural(t.tax.length, 'Tax', 'Taxes')}>
              <SaleTax transaction={t} />
              <TaxEvidenceList
                taxes={t.tax}
                currency={t.currency}
                rowsTo={(rule) => `/transactions?rule=${encodeURIComponent(rule)}`}
              />
            </Panel>
            <Panel title={say('Processing fee')}>
              <FeeEvidence fee={t.fees} currency={t.currency} />
            </Panel>
            <Panel title={say('Request as sent')}>
              <RequestSent transactionId={t.transactionId} />
            </Panel>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack>
            <Panel title={say('Record')}>
              <Facts
                items={[
                  [say('Transaction'), <Id key="id" value={t.transactionId} full what={say('transaction id')} />],
                  [say('Ref'), t.ref && <Id key="ref" value={t.ref} full what={say('ref')} />],
                  [say('Type'), typeName(t.type)],
                  [say('Country'), countryName(t.countryCode)],
                  t.paymentMethods !== undefined && [
                    say('Payment methods'),
                    Object.entries(t.paymentMethods).map(([method, amount]) => (
                      <div key={method}>
                        {rich('{method}: {amount}', {
                          method,
                          amount: <Money amount={amount} currency={t.currency} />,
                        })}
                      </div>
                    )),
                  ],
                  t.mcc !== undefined && [say('Merchant category'), t.mcc],
                  t.blochainHash !== undefined && [
                    say('Hash on the chain'),
                    <Id key="hash" value={t.blochainHash} full what={say('hash')} />,
                  ],
                  [say('Revision'), String(t.revision)],
                  t.basketId !== null && [
                    say('Basket'),
                    <Id key="basket" value={t.basketId} to={`/baskets/${t.basketId}`} what={say('basket id')} />,
                  ],
                  [say('Recorded'), <Stamp key="at" at={t.createdAt} />],
                  [say('Last changed'), <Stamp key="updated" at={t.updatedAt} />],
                ]}
              />
            </Panel>
            {t.type === 'verifyTransaction' ? null : (
              <Panel title={say('Customer')}>
                <NamedPersons recordId={t.transactionId} />
              </Panel>
            )}
            <Panel title={say('Events and deliveries')}>
              <Announced ids={[t.transactionId, ...(t.chargeback ? [t.chargeback.id] : [])]} />
            </Panel>
            {isClient ? null : (
              <Panel title={say('Reviews and cases')}>
                <LookedAt transactionId={t.transactionId} clientId={t.clientId} />
              </Panel>
            )}
            <Panel title={say('Settlement')}>
              <Settled transaction={t} />
            </Panel>
            {t.chargeback ? <Dispute chargebackId={t.chargeback.id} /> : null}
            <ReceiptPanel shown={{ recordId: t.transactionId, values: sealed }} />
            <Panel title={say('History')}>
              <History
                transactionId={t.transactionId}
                currency={t.currency}
                said={t.status === 'DECLINED' ? (t.decision.reason ?? null) : null}
              />
            </Panel>
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}
