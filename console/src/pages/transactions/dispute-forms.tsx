// The dialogs that dispute a chargeback and send evidence for it.

import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../../components/form-dialog.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';

const small = { size: 'xs', variant: 'default' } as const;

export function OpenDispute({ chargebackId }: { readonly chargebackId: string }) {
  const [reason, setReason] = useState('');
  const [due, setDue] = useState('');
  const dispute = useDo('openDispute', { done: say('The chargeback is disputed') });
  return (
    <FormDialog
      label={say('Dispute it')}
      title={say('Dispute the chargeback')}
      button={small}
      incomplete={reason.trim() === '' || due === ''}
      onSubmit={() => dispute.mutateAsync({ chargebackId, reason: reason.trim(), evidenceDueAt: `${due}T23:59:59Z` })}
    >
      <ReasonField
        label={say('Why the chargeback is wrong')}
        value={reason}
        onChange={(e) => setReason(e.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        type="date"
        label={say('Last day for evidence (UTC)')}
        description={say('As the card scheme or the bank says')}
        required
        value={due}
        onChange={(e) => setDue(e.currentTarget.value)}
      />
    </FormDialog>
  );
}

export function SendEvidence({ disputeId }: { readonly disputeId: string }) {
  const [text, setText] = useState('');
  const [documents, setDocuments] = useState('');
  const send = useDo('sendDisputeEvidence', { done: say('The evidence is recorded') });
  return (
    <FormDialog
      label={say('Add evidence')}
      button={small}
      incomplete={text.trim() === ''}
      onSubmit={async () => {
        const named = documents.split('\n').flatMap((d) => d.trim() || []);
        await send.mutateAsync({ disputeId, text: text.trim(), documents: named });
        setText('');
        setDocuments('');
      }}
    >
      <ReasonField
        label={say('What it shows')}
        description={say('Do not name people in it.')}
        value={text}
        onChange={(e) => setText(e.currentTarget.value)}
        data-autofocus
      />
      <Textarea
        label={say('Documents')}
        description={say('Names or addresses, one on each line')}
        autosize
        minRows={2}
        value={documents}
        onChange={(e) => setDocuments(e.currentTarget.value)}
      />
    </FormDialog>
  );
}
