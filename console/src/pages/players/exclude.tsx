// The dialog that excludes a player from gambling.

import { Button, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { ClientSelect } from '../../components/client-select.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import { type Named, nobody, PlayerFields, subjectsOf } from './subjects.tsx';

export function ExcludePlayer() {
  const [opened, dialog] = useDisclosure(false);
  const may = useMay('administrator');
  const [named, setNamed] = useState<Named>(nobody);
  const [source, setSource] = useState('PLAYER');
  const [until, setUntil] = useState('');
  const [clientId, setClientId] = useState<string>();
  const exclude = useDo('excludePlayer', { done: say('The player is excluded') });
  if (!may) return null;
  const subjects = subjectsOf(named);
  const close = () => {
    dialog.close();
    setNamed(nobody);
    setUntil('');
  };
  return (
    <>
      <Button onClick={dialog.open}>{say('Exclude a player')}</Button>
      <Modal opened={opened} onClose={close} title={say('Exclude a player')} size="lg">
        <form
          noValidate
          onSubmit={async (e) => {
            e.preventDefault();
            if (subjects.length === 0) return;
            const input = {
              subjects,
              source,
              ...(until === '' ? {} : { until: `${until}T00:00:00Z` }),
              ...(clientId ? { clientId } : {}),
            };
            if (await exclude.mutateAsync(input).catch(() => undefined)) close();
          }}
        >
          <Stack>
            <PlayerFields value={named} onChange={setNamed} />
            <Select
              label={say('Who asked for it')}
              allowDeselect={false}
              data={[
                { value: 'PLAYER', label: say('The player') },
                { value: 'OPERATOR', label: say('The operator') },
              ]}
              value={source}
              onChange={(v) => setSource(v ?? 'PLAYER')}
            />
            <TextInput
              label={say('Until')}
              type="date"
              description={say('Empty: without end. The day begins in UTC.')}
              value={until}
              onChange={(e) => setUntil(e.currentTarget.value)}
            />
            <ClientSelect value={clientId} onChange={setClientId} />
            <DialogActions label={say('Exclude')} busy={exclude.isPending} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
