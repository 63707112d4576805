// What a proposal changes, row by row: which end, which begin, and in which words they differ.

import { Box, Stack, Text } from '@mantine/core';
import { type Fact, Facts } from '../../components/facts.tsx';
import { inWords, StatusBadge, type Tone } from '../../components/status-badge.tsx';
import { percent } from '../../data/amounts.ts';
import { dayBefore } from '../../data/days.ts';
import { dayInWords } from '../../data/moments.ts';
import { shownText } from '../../data/shown-text.ts';
import { debtorWords, reasonWords } from '../../data/tax-words.ts';
import { say } from '../../words/words.ts';
import { inOneWord, limitOf } from './rule.ts';
import { type Row, type RowChange, rowChanges, type TaxFile } from './tax-file.ts';

/** A rate, brackets, slabs or an amount in words. */
export function termsText(r: Row, currency: string): string {
  if (r.rate !== undefined)
    return `${percent(r.rate)}${r.reason ? `, ${(reasonWords[r.reason] ?? r.reason).toLowerCase()}` : ''}`;
  if (r.unitAmount !== undefined) return `${r.unitAmount} ${r.currency ?? currency}`;
  return (r.brackets ?? r.slabs ?? [])
    .map(
      (s) =>
        `${s.amount ?? percent(s.rate ?? '')} ${s.upTo === undefined ? say('above') : say('up to {upTo}', { upTo: s.upTo })}`,
    )
    .join(', ');
}

/** 1 Jan 2026 to 31 Dec 2026; validTo is the first day after the row. */
export const daysText = (r: Pick<Row, 'validFrom' | 'validFromKnown' | 'validTo'>): string => {
  const to = r.validTo === null ? '' : ` ${say('to {validTo}', { validTo: dayInWords(dayBefore(r.validTo)) })}`;
  if (r.validFromKnown === false) return say('Since a day not looked up{to}', { to: to && `,${to}` });
  return `${dayInWords(r.validFrom)}${to || ` ${say('on')}`}`;
};

function kindOf({ was, is }: RowChange): { readonly words: string; readonly tone: Tone } {
  if (!was) return { words: say('Begins'), tone: 'good' };
  if (!is) return { words: say('Removed'), tone: 'bad' };
  const rest = (r: Row) => JSON.stringify({ ...r, validTo: null });
  return rest(was) === rest(is) && is.validTo !== null
    ? { words: say('Ends'), tone: 'wait' }
    : { words: say('Changes'), tone: 'note' };
}

/** Both sides of a field where they differ. */
const sides = (name: string, was: string | undefined, is: string | undefined): Fact =>
  was === is || was === undefined || is === undefined
    ? (is ?? was) !== undefined && [name, is ?? was]
    : [
        name,
        <>
          <s>{was}</s> {is}
        </>,
      ];

const owedBy = (r: Row | undefined): string | undefined => r?.owedBy && debtorWords[r.owedBy];

export function RowDiff({ before, after }: { readonly before: TaxFile | undefined; readonly after: TaxFile }) {
  const changes = rowChanges(before && shownText(before), shownText(after));
  if (changes.length === 0) return <Text size="sm">{say('No row differs from those in force.')}</Text>;
  return (
    <Stack component="ul" gap="md" p={0} m={0} style={{ listStyle: 'none' }} aria-label={say('Rows that change')}>
      {changes.map((c) => {
        const { was, is } = c;
        const row = (is ?? was) as Row;
        const { words, tone } = kindOf(c);
        const source = (r: Row | undefined, of: TaxFile | undefined) => {
          const s = r && of?.sources[r.source];
          return s && `${s.title}, ${s.publisher}`;
        };
        const example = (r: Row | undefined) =>
          r?.example &&
          say('{tax} of {amount} {currency}', {
            tax: r.example.tax,
            amount: r.example.amount,
            currency: after.currency,
          });
        return (
          <Box component="li" key={c.ruleId}>
            <Text fw={600} mb={4} style={{ overflowWrap: 'anywhere' }}>
              <StatusBadge status={words} tone={tone} label={words} /> {c.ruleId}
            </Text>
            <Facts
              items={[
                [
                  say('Tax'),
                  [
                    `${row.taxCode}, ${inWords(row.category).toLowerCase()}`,
                    limitOf(row),
                    row.operations.map(inOneWord).join(', '),
                  ]
                    .filter(Boolean)
                    .join(' · '),
                ],
                sides(say('Rate'), was && termsText(was, after.currency), is && termsText(is, after.currency)),
                sides(say('Owed to the authority by'), owedBy(was), owedBy(is)),
                sides(say('In force'), was && daysText(was), is && daysText(is)),
                sides(say('Law'), was?.legalRef ?? undefined, is?.legalRef ?? undefined),
                sides(say('Source'), source(was, before), source(is, after)),
                sides(say('Confidence'), was && inWords(was.confidence), is && inWords(is.confidence)),
                sides(say('What it says'), was?.says, is?.says),
                sides(say('Example'), example(was), example(is)),
              ]}
            />
          </Box>
        );
      })}
    </Stack>
  );
}
