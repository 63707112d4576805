// The fields in which a proposed version differs from the one before it, side by side.

import { Table, Text } from '@mantine/core';
import { inWords } from '../../components/status-badge.tsx';
import { dayInWords } from '../../data/moments.ts';
import { named, say } from '../../words/words.ts';
import { actions, counterText, type RuleDocument, scopeText } from './document.ts';

/** Each field of a rule by its name, in words; those that say the same are the same. */
const shown: readonly (readonly [title: string, of: (d: RuleDocument) => string])[] = [
  [say('From'), (d) => dayInWords(d.from)],
  [say('Until'), (d) => (d.until === null ? say('no end') : dayInWords(d.until))],
  [say('Looks at'), (d) => scopeText(d)],
  [say('PSPs'), (d) => d.scope.psps?.join('\n') ?? ''],
  [say('Observations'), (d) => (d.observations ?? []).map(inWords).join(', ')],
  [say('Limits'), (d) => lines(Object.entries(d.limits ?? {}))],
  [say('Counters'), (d) => lines(Object.entries(d.counters ?? {}).map(([name, c]) => [name, counterText(c)]))],
  [say('Condition'), (d) => d.condition],
  [say('Severity'), (d) => inWords(d.severity)],
  [say('Public code'), (d) => d.code],
  [say('Reason'), (d) => named(d.reason)],
  [say('A match'), (d) => actions[d.action as keyof typeof actions]],
  [
    say('Source'),
    ({ source: s }) => `${s.title}${s.place ? `, ${s.place}` : ''} (${dayInWords(s.date)})\n${s.url ?? ''}`.trim(),
  ],
];

const lines = (of: readonly (readonly [string, string])[]): string =>
  of.map(([name, value]) => `${name}: ${value}`).join('\n');

interface Props {
  /** Undefined for a new rule. */
  readonly before: object | undefined;
  readonly after: object;
}

export function Changes({ before, after }: Props) {
  const differing = shown
    .map(
      ([title, of]) =>
        [title, before === undefined ? '' : of(before as RuleDocument), of(after as RuleDocument)] as const,
    )
    .filter(([, was, is]) => was !== is);
  if (differing.length === 0)
    return <Text size="sm">{say('Nothing but the version differs from the one before it.')}</Text>;
  return (
    <Table.ScrollContainer
      minWidth={before ? 520 : 320}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': say('What changes') } }}
    >
      <Table aria-label={say('What changes')} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say('Field')}</Table.Th>
            {before ? <Table.Th>{say('Before')}</Table.Th> : null}
            <Table.Th>{say('Proposed')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differing.map(([title, was, is]) => (
            <Table.Tr key={title} style={{ verticalAlign: 'top' }}>
              <Table.Td>{title}</Table.Td>
              {before ? (
                <Table.Td c="dimmed" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                  {was || '–'}
                </Table.Td>
              ) : null}
              <Table.Td style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{is || '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
