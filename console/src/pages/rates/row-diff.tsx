// What a proposal changes, row by row: which end, which begin, and in which words they differ.

import { Box, Stack, Text } from '@mantine/core';
import { type Fact, Facts } from '../../components/facts.tsx';
import { inWords, StatusBadge, type Tone } from '../../components/status-badge.tsx';
import { percent } from '../../data/amounts.ts';
import { shownText } from '../../data/shown-text.ts';
import { baseWords, debtorWords, reasonWords } from '../../data/tax-words.ts';
import { between, say } from '../../words/words.ts';
import { daysText, inOneWord, limitOf } from './rule.ts';
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

function kindOf({ was, is }: RowChange): { readonly words: string; readonly tone: Tone } {
  if (!was) return { words: say('Begins'), tone: 'good' };
  if (!is) return { words: say('Removed'), tone: 'bad' };
  const rest = (r: Row) => JSON.stringify({ ...r, validTo: null });
  return rest(was) === rest(is) && is.validTo !== null
    ? { words: say('Ends'), tone: 'wait' }
    : { words: say('Changes'), tone: 'note' };
}

type SideOf = (r: Row) => string | undefined;

/** A field of a row: of both where they differ, also where only one has it. */
function sides({ was, is }: RowChange, name: string, of: SideOf): Fact {
  const [before, after] = [was && of(was), is && of(is)];
  if (!was || !is || before === after) return (after ?? before) !== undefined && [name, after ?? before];
  return [
    name,
    <>
      <s>{before ?? say('none')}</s> {after ?? say('none')}
    </>,
  ];
}

/** What a row has beside the fields that are shown by name, as the file has it; of two rows what differs. */
const named = [
  ...[
    'ruleId',
    'taxCode',
    'category',
    'operations',
    'subdivision',
    'supplies',
    'customer',
    'client',
    'base',
    'rate',
    'unitAmount',
  ],
  ...[
    'brackets',
    'slabs',
    'reason',
    'owedBy',
    'authority',
    'validFrom',
    'validFromKnown',
    'validTo',
    'legalRef',
    'source',
  ],
  ...['confidence', 'says', 'example'],
];
const otherSides = (c: RowChange): Fact[] =>
  [...new Set([...Object.keys(c.was ?? {}), ...Object.keys(c.is ?? {})])]
    .filter((field) => !named.includes(field) && !(field === 'mccRanges' && !(c.is ?? c.was)?.supplies))
    .map((field) => {
      const of: SideOf = (r) => {
        const text = JSON.stringify(r[field as keyof Row]);
        return text === '[]' || text === 'null' ? undefined : text?.replace(/^"(.*)"$/, '$1');
      };
      return !(c.was && c.is && of(c.was) === of(c.is)) && sides(c, field, of);
    });

const taxOf = (r: Row): string =>
  [`${r.taxCode}, ${inWords(r.category).toLowerCase()}`, limitOf(r), r.operations.map(inOneWord).join(', ')]
    .filter(Boolean)
    .join(between);

export function RowDiff({ before, after }: { readonly before: TaxFile | undefined; readonly after: TaxFile }) {
  const changes = rowChanges(before && shownText(before), shownText(after));
  if (changes.length === 0) return <Text size="sm">{say('No row differs from those in force.')}</Text>;
  return (
    <Stack component="ul" gap="md" p={0} m={0} style={{ listStyle: 'none' }} aria-label={say('Rows that change')}>
      {changes.map((c) => {
        const { words, tone } = kindOf(c);
        const sourceOf: SideOf = (r) => {
          const s = (r === c.is ? after : before)?.sources[r.source];
          return s && `${s.title}, ${s.publisher}`;
        };
        const exampleOf: SideOf = (r) =>
          r.example &&
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
                sides(c, say('Tax'), taxOf),
                sides(c, say('Charged on'), (r) => baseWords[r.base] ?? inWords(r.base)),
                sides(c, say('Rate'), (r) => termsText(r, after.currency)),
                sides(c, say('Owed to the authority by'), (r) => r.owedBy && debtorWords[r.owedBy]),
                sides(c, say('Paid to'), (r) => r.authority),
                sides(c, say('In force'), daysText),
                sides(c, say('Law'), (r) => r.legalRef ?? undefined),
                sides(c, say('Source'), sourceOf),
                sides(c, say('Confidence'), (r) => inWords(r.confidence)),
                sides(c, say('What it says'), (r) => r.says),
                sides(c, say('Example'), exampleOf),
                ...otherSides(c),
              ]}
            />
          </Box>
        );
      })}
    </Stack>
  );
}
