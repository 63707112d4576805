// A country's taxes as bars on a time axis, one line per tax; the table below says the same in words.

import { Text, Tooltip } from '@mantine/core';
import { inWords } from '../../components/status-badge.tsx';
import { taxNamed } from '../../data/tax-names.ts';
import { lower } from '../../data/tax-words.ts';
import { say } from '../../words/words.ts';
import { daysText, inForce, inOneWord, limitOf, rateOf, type Strand } from './rule.ts';
import classes from './strands.module.css';

const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
const year = 31_557_600_000;

export function Strands({ strands, today }: { readonly strands: readonly Strand[]; readonly today: string }) {
  const now = day(today);
  const earliest = Math.min(now - 2 * year, ...strands.flatMap((s) => s.rules.map((r) => day(r.validFrom))));
  // Times long past are one step on the left, or the present would be too narrow to see.
  const from = Math.max(earliest, now - 6 * year);
  const to = Math.max(now + year, ...strands.flatMap((s) => s.rules.map((r) => day(r.validTo ?? today) + year / 2)));
  const at = (time: number) => `${(((Math.min(Math.max(time, from), to) - from) / (to - from)) * 100).toFixed(2)}%`;
  const years: number[] = [];
  for (let y = new Date(from).getUTCFullYear() + 1; Date.UTC(y, 0) < to; y++) years.push(y);
  return (
    <div>
      <div className={classes.strand} aria-hidden>
        <span />
        <div className={classes.years}>
          {years.map((y) => (
            <span key={y} style={{ insetInlineStart: at(Date.UTC(y, 0)) }}>
              {y}
            </span>
          ))}
        </div>
      </div>
      {strands.map((s) => (
        <div key={s.key} className={classes.strand}>
          <Text size="sm" style={{ minWidth: 0 }}>
            <b>{taxNamed(s.taxCode)}</b>
            {', '}
            {[inWords(s.category).toLowerCase(), s.rules[0] && limitOf(s.rules[0])].filter(Boolean).join(', ')}
            <Text component="span" size="xs" c="dimmed" display="block" truncate>
              {s.rules[0]?.operations.map(inOneWord).join(', ')}
            </Text>
          </Text>
          <div className={classes.track}>
            {s.rules.map((r) => {
              const end = r.validTo ? day(r.validTo) : to;
              if (end <= from) return null;
              const words = `${rateOf(r)}, ${lower(daysText(r))}`;
              return (
                <Tooltip key={r.ruleId} label={say('{ruleId}: {words}', { ruleId: r.ruleId, words })}>
                  <div
                    className={classes.span}
                    data-now={inForce(r, today) || undefined}
                    style={{
                      insetInlineStart: at(day(r.validFrom)),
                      width: `calc(${at(end)} - ${at(day(r.validFrom))})`,
                    }}
                  >
                    {rateOf(r)}
                  </div>
                </Tooltip>
              );
            })}
            <div className={classes.today} style={{ insetInlineStart: at(now) }} />
          </div>
        </div>
      ))}
    </div>
  );
}
