// The fields in which a proposed version differs from the one before it, side by side.

import { Table, Text } from '@mantine/core';
import { say } from '../../words/words.ts';

type Document = Readonly<Record<string, unknown>>;

const titles: Readonly<Record<string, string>> = {
  from: 'From',
  until: 'Until',
  scope: say('Looks at'),
  statuses: say('Statuses'),
  observations: say('Observations'),
  limits: say('Limits'),
  counters: say('Counters'),
  condition: say('Condition'),
  severity: say('Severity'),
  code: 'Public code',
  reason: say('Reason'),
  action: say('A match'),
  source: say('Source'),
};

const shown = (value: unknown): string =>
  value === undefined
    ? ''
    : typeof value === 'string'
      ? value
      : value === null
        ? say('no end')
        : JSON.stringify(value, null, 1);

interface Props {
  /** Undefined for a new rule. */
  readonly before: object | undefined;
  readonly after: object;
}

export function Changes({ before, after }: Props) {
  const [was, is] = [(before ?? {}) as Document, after as Document];
  const differing = Object.keys(titles).filter((name) => shown(was[name]) !== shown(is[name]));
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
          {differing.map((name) => (
            <Table.Tr key={name} style={{ verticalAlign: 'top' }}>
              <Table.Td>{titles[name]}</Table.Td>
              {before ? (
                <Table.Td c="dimmed" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                  {shown(was[name]) || '–'}
                </Table.Td>
              ) : null}
              <Table.Td style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{shown(is[name]) || '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
