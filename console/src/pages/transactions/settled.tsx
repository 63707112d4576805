// The settlement of a transaction: the statement that counts it, and amounts set off against a chargeback.

import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Facts } from '../../components/facts.tsx';
import { Money } from '../../components/money.tsx';
import type { Content } from '../../data/assay.ts';
import { countryName } from '../../data/countries.ts';
import { isIdOf } from '../../data/id-kind.ts';
import { dayInWords } from '../../data/moments.ts';
import { useOp } from '../../data/use-op.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import type { Evidenced } from './parts.ts';

export function Settled({ transaction: t }: { readonly transaction: Evidenced }) {
  const { data } = useOp('getTransactionHistory', { transactionId: t.transactionId });
  const day = t.decision.localDate;
  const statement = (
    <Anchor
      component={Link}
      to="/settlement"
      search={{ month: day.slice(0, 7), ...(isIdOf('client', t.clientId) ? { clientId: t.clientId } : {}) } as never}
      inherit
      underline="always"
    >
      {say('Statement of {day}', { day: day.slice(0, 7) })}
    </Anchor>
  );
  if (t.status !== 'APPROVED')
    return <Text size="sm">{say('Nothing of it is settled: only approved transactions are.')}</Text>;
  return (
    <Facts
      items={[
        [
          say('Counted on'),
          say('{day} in {countryCode}', { day: dayInWords(day), countryCode: countryName(t.countryCode) }),
        ],
        [say('In the'), statement],
        [
          t.merchantAmount === undefined ? say('Net amount') : say('To the merchant'),
          <Money key="rest" amount={t.merchantAmount ?? t.netAmount} currency={t.currency} strong />,
        ],
        t.chargeback !== null && [
          t.chargeback.reversedAt ? say('Chargeback, reversed') : say('Taken back'),
          Object.entries(t.chargeback.amounts).map(([name, amount]) => (
            <div key={name}>
              {rich('{part}: {amount}', {
                part: partNames[name] ?? name,
                amount: <Money amount={amount} currency={t.currency} />,
              })}
            </div>
          )),
        ],
        ...(data?.items.filter((i) => i.step.startsWith('NETT')) ?? []).map(
          (i, n) => [`${setOffWords(i)} ${n + 1}`, <SetOff key={i.eventId} item={i} currency={t.currency} />] as const,
        ),
      ]}
    />
  );
}

type Step = Content<'getTransactionHistory'>['items'][number];

const setOffWords = (i: Step) => (i.step === 'NETTED' ? say('Set off') : say('Released'));

function SetOff({ item, currency }: { readonly item: Step; readonly currency: string }) {
  const data = (item.data ?? {}) as Readonly<Record<string, unknown>>;
  const parts = Object.keys(partNames).filter((name) => data[name] !== undefined && String(data[name]) !== '0');
  return parts.map((name) => (
    <div key={name}>
      {rich('{part}: {amount}', {
        part: partNames[name],
        amount: <Money amount={String(data[name])} currency={currency} />,
      })}
    </div>
  ));
}

const partNames: Readonly<Record<string, string>> = {
  vatAmount: say('Tax'),
  processingFee: say('Processing fee'),
  transactionFee: say('Transaction fee'),
  transactionVAT: say('Tax on the fees'),
  merchantAmount: say('Merchant'),
  netAmount: say('Net amount'),
};
