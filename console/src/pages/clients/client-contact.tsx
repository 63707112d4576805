// The contact of a client: personal data, so it is loaded only when somebody asks for it; not offered to auditors.

import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '../../components/problem.tsx';
import { useMay } from '../../data/session.tsx';
import { useOp } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';

export function ClientContact({ clientId }: { readonly clientId: string }) {
  const [shown, setShown] = useState(false);
  // Names of owners are as personal, and have the same readers.
  const may = useMay('getClientOwners');
  const { data, error, refetch } = useOp('getClient', { clientId, expand: 'contact' }, { enabled: shown });
  if (!may) return <Text size="sm">{say('Sealed; administrators and reviewers may see it')}</Text>;
  if (!shown)
    return (
      <Button variant="default" size="compact-xs" onClick={() => setShown(true)}>
        {say('Show the contact')}
      </Button>
    );
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (!data) return <Text size="sm">{say('Loading …')}</Text>;
  if (!data.contact) return <Text size="sm">{say('None, or erased')}</Text>;
  return (
    <>
      <div>{data.contact.email}</div>
      <div>{data.contact.phoneNumber}</div>
    </>
  );
}
