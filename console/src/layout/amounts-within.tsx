// The time in which the search looks for an amount: the last days by default, the last 13 months, or one of them. Shown only
// while the text is an amount.
import { Anchor, Group, Text } from '@mantine/core';
import { dayOf, startOf } from '../data/days.ts';
import { dayInWords } from '../data/moments.ts';
import { todayIn } from '../data/now.ts';
import { useZone } from '../data/use-zone.ts';
import { dateLocale } from '../words/language.ts';
import { between, say } from '../words/words.ts';
import classes from './search.module.css';
import type { Within } from './search-hits.ts';

interface Props {
  /** The time that the answer covers. */
  readonly covered: Required<Within>;
  readonly within: Within;
  readonly set: (within: Within) => void;
}

const months = 13;
const monthName = new Intl.DateTimeFormat(dateLocale, { month: 'long', year: 'numeric', timeZone: 'UTC' });

export function AmountsWithin({ covered, within, set }: Props) {
  const zone = useZone();
  const [year = 0, month = 0] = todayIn(zone).split('-').map(Number);
  const first = (back: number) => new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 10);
  const moment = (day: string) => new Date(startOf(day, zone)).toISOString();
  const choices: readonly { readonly label: string; readonly within: Within }[] = [
    { label: say('Last 31 days'), within: {} },
    { label: say('Last 13 months'), within: { from: moment(first(months - 1)) } },
    ...Array.from({ length: months }, (_, back) => ({
      label: monthName.format(Date.parse(first(back))),
      within: { from: moment(first(back)), to: moment(first(back - 1)) },
    })),
  ];
  const chosen = choices.findIndex((c) => c.within.from === within.from && c.within.to === within.to);
  return (
    <Group justify="space-between" gap="xs" className={classes.state}>
      <Text span inherit>
        {say('Amounts recorded from {from} to {to}', {
          from: dayInWords(dayOf(Date.parse(covered.from), zone)),
          to: dayInWords(dayOf(Date.parse(covered.to) - 1, zone)),
        })}
        {chosen === 0 ? (
          <>
            {between}
            <Anchor component="button" type="button" inherit onClick={() => set(choices[1]?.within ?? {})}>
              {say('Search the last 13 months')}
            </Anchor>
          </>
        ) : null}
      </Text>
      <select
        aria-label={say('Amounts of')}
        className={classes.choice}
        value={Math.max(chosen, 0)}
        onChange={(e) => set(choices[Number(e.currentTarget.value)]?.within ?? {})}
      >
        {choices.map((c, i) => (
          <option key={c.label} value={i}>
            {c.label}
          </option>
        ))}
      </select>
    </Group>
  );
}
