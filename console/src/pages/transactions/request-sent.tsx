// The request as it was sent. It may name a person, so it is loaded only when somebody asks for it; nobody sees more of it
// than the API shows them.

import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { JsonView } from '../../components/json-view.tsx';
import { Problem } from '../../components/problem.tsx';
import { useOp } from '../../data/use-op.ts';
import { Loading } from '../../layout/loading.tsx';
import { say } from '../../words/words.ts';

export function RequestSent({ transactionId }: { readonly transactionId: string }) {
  const [shown, setShown] = useState(false);
  const { data, error, refetch } = useOp('getTransaction', { transactionId }, { expand: 'request', enabled: shown });
  if (!shown)
    return (
      <>
        <Text size="sm" mb="xs">
          {say('Every field as it was sent, with the customer if one was named.')}
        </Text>
        <Button variant="default" size="xs" onClick={() => setShown(true)}>
          {say('Show the request')}
        </Button>
      </>
    );
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (!data) return <Loading />;
  return <JsonView value={data.request} label={say('Request as it was sent')} />;
}
