// Another key signs the checkpoints of all journals from then on.
import { Checkbox, NumberInput, Text } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../../components/form-dialog.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';

export function ReplaceKey() {
  const [reason, setReason] = useState('');
  const [days, setDays] = useState<number | string>(90);
  const [leaked, setLeaked] = useState(false);
  const rotate = useDo('rotateAuditKey', { asOperator: true, done: say('Another key signs from now on') });
  async function submit() {
    const how = leaked ? { leaked } : { bothForDays: Number(days) };
    await rotate.mutateAsync({ reason: reason.trim(), ...how });
    setReason('');
    setLeaked(false);
  }
  return (
    <FormDialog
      label={say('Replace the key')}
      title={say('Replace the key of the seal?')}
      button={{ size: 'xs', variant: 'default' }}
      onSubmit={submit}
    >
      <Text size="sm">
        {say(
          'It signs the journals of all PSPs. Clients, authorities and auditors compare with the key that they noted: as long as both sign, they have time to take the new one.',
        )}
      </Text>
      <Checkbox
        label={say('The key leaked: it ends at once')}
        description={say('Then its holders have to be told the new one in a way that they trust.')}
        checked={leaked}
        onChange={(e) => setLeaked(e.currentTarget.checked)}
      />
      {leaked ? null : (
        <NumberInput
          label={say('Days for which both sign')}
          min={1}
          max={730}
          allowDecimal={false}
          required
          value={days}
          onChange={setDays}
        />
      )}
      <ReasonField maxLength={500} value={reason} onChange={(e) => setReason(e.currentTarget.value)} />
    </FormDialog>
  );
}
