// The fields in which a proposed version differs from the one in force, side by side.
import { Table, Text } from '@mantine/core';

type Document = Readonly<Record<string, unknown>>;

const titles: Readonly<Record<string, string>> = {
  from: 'From',
  until: 'Until',
  scope: 'Looks at',
  statuses: 'Statuses',
  observations: 'Observations',
  limits: 'Limits',
  counters: 'Counters',
  condition: 'Condition',
  severity: 'Severity',
  code: 'Public code',
  reason: 'Reason',
  action: 'A match',
  source: 'Source',
};

const shown = (value: unknown): string =>
  value === undefined
    ? ''
    : typeof value === 'string'
      ? value
      : value === null
        ? 'no end'
        : JSON.stringify(value, null, 1);

interface Props {
  /** Undefined for a new rule. */
  readonly before: object | undefined;
  readonly after: object;
}

export function Changes({ before, after }: Props) {
  const [was, is] = [(before ?? {}) as Document, after as Document];
  const differing = Object.keys(titles).filter((name) => shown(was[name]) !== shown(is[name]));
  if (differing.length === 0) return <Text size="sm">Nothing but the version differs from the rule in force.</Text>;
  return (
    <Table.ScrollContainer
      minWidth={before ? 520 : 320}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': 'What changes' } }}
    >
      <Table aria-label="What changes" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            {before ? <Table.Th>In force</Table.Th> : null}
            <Table.Th>Proposed</Table.Th>
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
