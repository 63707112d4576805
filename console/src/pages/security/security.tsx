// How the signed-in person signs in: second factors, passkeys, recovery codes and open sessions.

import { Modal, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { closedByButton } from '../../components/closed-by-button.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { RecoveryCodes } from '../../components/recovery-codes.tsx';
import { useSession } from '../../data/session.tsx';
import { useOp } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { CodesPanel } from './codes-panel.tsx';
import { PasskeysPanel } from './passkeys-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

export default function Security() {
  const { refresh } = useSession();
  const queries = useQueryClient();
  const [codes, setCodes] = useState<readonly string[]>([]);
  const factors = useOp('getSecondFactors', {}, { asOperator: true });
  /** After a change that replaced the session. */
  async function changed(recoveryCodes: readonly string[]) {
    setCodes(recoveryCodes);
    await refresh();
    await queries.invalidateQueries();
  }
  return (
    <>
      <PageHeader
        title={say('Security and sessions')}
        lead={say(
          'How you sign in, and where you are signed in. Changes need a sign-in of the last 15 minutes and end your other sessions.',
        )}
      />
      <Stack>
        {factors.error ? <Problem error={factors.error} retry={() => factors.refetch()} /> : null}
        {factors.data ? (
          <>
            <CodesPanel factors={factors.data} onChanged={changed} />
            <PasskeysPanel factors={factors.data} onChanged={changed} />
          </>
        ) : null}
        <SessionsPanel onChanged={changed} />
      </Stack>
      <Modal
        opened={codes.length > 0}
        onClose={() => setCodes([])}
        title={say('Keep your recovery codes')}
        {...closedByButton(true)}
      >
        <RecoveryCodes codes={codes} onDone={() => setCodes([])} />
      </Modal>
    </>
  );
}
