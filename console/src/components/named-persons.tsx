// The persons a record names, without personal data: each links to the page with all of that person's records.

import { Anchor, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { namedByWords } from '../data/places.ts';
import { useOp } from '../data/use-op.ts';
import { Loading } from '../layout/loading.tsx';
import { rich } from '../words/rich.ts';
import { say } from '../words/words.ts';
import { Problem } from './problem.tsx';

export function NamedPersons({ recordId }: { readonly recordId: string }) {
  const { data, error, refetch } = useOp('listRecordPersons', { recordId });
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (!data) return <Loading />;
  if (data.items.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {say('It names no customer, number or wallet.')}
      </Text>
    );
  return (
    <List size="sm" spacing={4}>
      {data.items.map((p) => (
        <List.Item key={`${p.namedBy} ${p.personId}`}>
          <Anchor component={Link} to={`/persons/${p.personId}`} inherit underline="always">
            {linkWords[p.namedBy] ?? say('All records of this person')}
          </Anchor>{' '}
          <Text span inherit c="dimmed">
            {rich('by {namedByWords}', { namedByWords: namedByWords[p.namedBy]?.toLowerCase() })}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}

const linkWords: Readonly<Record<string, string>> = {
  customer: say('All records of this customer'),
  msisdn: say('All records of this telephone number'),
  wallet: say('All records of this wallet'),
  chainHash: say('All records of this transfer'),
  ip: say('All records from this address'),
};
