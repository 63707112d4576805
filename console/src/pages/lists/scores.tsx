// The score of a match, field by field and word by word, so that a person can follow it.

import { Stack, Table, Text } from '@mantine/core';
import { percent } from '../../data/amounts.ts';
import { say } from '../../words/words.ts';
import type { FieldScore } from './words.ts';

const titles: Readonly<Record<FieldScore['field'], string>> = {
  name: say('Name'),
  born: say('Born'),
  country: say('Country'),
  key: 'Exact value',
};

const ways: Readonly<Record<NonNullable<FieldScore['pairs']>[number]['by'], string>> = {
  SAME: say('Equal'),
  SOUND: say('Sounds alike'),
  SPELLING: say('Spelled alike'),
  INITIAL: say('Initial'),
  JOINED: say('Equal without spaces'),
};

/** What a field gives: a name its score, the others what they add or take away. */
const given = (f: FieldScore): string =>
  f.field === 'name' || f.field === 'key' ? percent(f.score) : f.score < 0 ? `−${-f.score}` : `+${f.score}`;

/** Long words break, so that the scores stay in sight on narrow screens. */
const broken = { overflowWrap: 'anywhere' } as const;

export function Scores({ of, label }: { readonly of: readonly FieldScore[]; readonly label: string }) {
  return (
    <Table.ScrollContainer minWidth={280} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': label } }}>
      <Table aria-label={label} verticalSpacing={4} horizontalSpacing={6} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say('Compared')}</Table.Th>
            <Table.Th>{say('Listed')}</Table.Th>
            <Table.Th>{say('How')}</Table.Th>
            <Table.Th ta="right">{say('Score')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {of.map((f) => [
            <Table.Tr key={f.field}>
              <Table.Td style={broken}>{f.asked}</Table.Td>
              <Table.Td style={broken}>{f.listed}</Table.Td>
              <Table.Td>{titles[f.field]}</Table.Td>
              <Table.Td ta="right" fw={600}>
                {given(f)}
              </Table.Td>
            </Table.Tr>,
            ...(f.pairs ?? []).map((p) => (
              <Table.Tr key={`${f.field} ${p.asked} ${p.listed}`}>
                <Table.Td c="dimmed" pl="sm" style={broken}>
                  {p.asked}
                </Table.Td>
                <Table.Td c="dimmed" pl="sm" style={broken}>
                  {p.listed}
                </Table.Td>
                <Table.Td c="dimmed">{ways[p.by]}</Table.Td>
                <Table.Td c="dimmed" ta="right">
                  {percent(p.score)}
                </Table.Td>
              </Table.Tr>
            )),
          ])}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** For a match whose person was erased. */
export function NoScores() {
  return (
    <Stack gap={4}>
      <Text size="sm" c="dimmed">
        {say('The person was erased: what was compared is no longer known.')}
      </Text>
    </Stack>
  );
}
