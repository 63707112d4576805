// The period in five figures.

import { SimpleGrid } from '@mantine/core';
import { Money } from '../../components/money.tsx';
import { Stat } from '../../components/stat.tsx';
import { groupDigits, percent } from '../../data/amounts.ts';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
import { daysOfList, type OverviewData, taxOf } from './series.ts';

export function Figures({
  overview,
  currency,
}: {
  readonly overview: OverviewData;
  readonly currency: string | undefined;
}) {
  const { counts } = overview;
  const rows = (status: string) => `/transactions?status=${status}&${daysOfList(overview)}`;
  const line = overview.amounts.find((a) => a.currency === currency);
  const decided = counts.approved + counts.declined;
  const amount = (text: string | undefined) => ({
    value: <Money amount={text ?? '0'} currency={currency} unit={false} />,
    chars: groupDigits(text ?? '0', currency).length,
    note: currency ?? say('no amounts'),
  });
  const share = decided === 0 ? undefined : ((counts.approved * 100) / decided).toFixed(1);
  return (
    <SimpleGrid cols={{ base: 2, md: 5 }} spacing={{ base: 'xs', md: 'md' }}>
      <Stat
        name={say('Approved')}
        value={counts.approved.toLocaleString(locale)}
        note={share ? say('{share} of those decided', { share: percent(share) }) : say('none decided')}
        tone="good"
        to={rows('APPROVED')}
      />
      <Stat
        name={say('Declined')}
        value={counts.declined.toLocaleString(locale)}
        note={say('{chargedBack} charged back', { chargedBack: counts.chargedBack.toLocaleString(locale) })}
        tone="bad"
        to={rows('DECLINED')}
      />
      <Stat name={say('Gross approved')} {...amount(line?.gross)} />
      <Stat name={say('Tax')} {...amount(taxOf(line))} />
      <Stat name={say('Processing fees')} {...amount(line?.processingFee)} />
    </SimpleGrid>
  );
}
