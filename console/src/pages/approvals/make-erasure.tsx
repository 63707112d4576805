// Erases a person whose erasure was approved. What the person is known by is typed again, since it was not kept.

import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { usePsp } from '../../data/psp.tsx';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import { readSubjects, subjectsHelp } from './propose-erasure.tsx';

interface Props {
  readonly proposal: { readonly proposalId: string; readonly subject: string; readonly reason: string };
}

export function MakeErasure({ proposal: { proposalId, subject, reason } }: Props) {
  const [typed, setTyped] = useState('');
  const { isOperator } = usePsp();
  const erase = useDo('eraseSubject', {
    asOperator: true,
    done: (c) =>
      c.erasureId === null ? say('There was nothing to erase') : say('Erased: {keys} keys destroyed', { keys: c.keys }),
  });
  const [pspId = ''] = subject.split(' ');
  return (
    <ConfirmButton
      label={say('Erase')}
      size="xs"
      danger
      question={say('Erase this person?')}
      onConfirm={() =>
        erase.mutateAsync({
          subjects: readSubjects(typed),
          reason,
          proposalId,
          ...(isOperator ? { pspId } : {}),
        })
      }
    >
      {say('This cannot be undone: what was sealed for the person can then be read nowhere, backups included.')}
      <Textarea
        mt="sm"
        label={say('Known by')}
        description={say('{subjectsHelp} The same as was approved.', { subjectsHelp })}
        required
        autosize
        minRows={3}
        value={typed}
        onChange={(e) => setTyped(e.currentTarget.value)}
      />
    </ConfirmButton>
  );
}
