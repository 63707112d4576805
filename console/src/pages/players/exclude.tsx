// The dialog that excludes a player from gambling.

import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ClientSelect } from '../../components/client-select.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import { type Named, nobody, PlayerFields, subjectsOf } from './subjects.tsx';

export function ExcludePlayer() {
  const may = useMay('excludePlayer');
  const [named, setNamed] = useState<Named>(nobody);
  const [source, setSource] = useState('PLAYER');
  const [until, setUntil] = useState('');
  const [clientId, setClientId] = useState<string>();
  const exclude = useDo('excludePlayer', { done: say('The player is excluded') });
  if (!may) return null;
  const subjects = subjectsOf(named);
  return (
    <FormDialog
      label={say('Exclude a player')}
      action={say('Exclude')}
      size="lg"
      incomplete={subjects.length === 0}
      onSubmit={async () => {
        await exclude.mutateAsync({
          ...{ subjects, source },
          ...(until === '' ? {} : { until: `${until}T00:00:00Z` }),
          ...(clientId ? { clientId } : {}),
        });
        setNamed(nobody);
        setUntil('');
      }}
    >
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
    </FormDialog>
  );
}
