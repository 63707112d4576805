// The dialog that puts a wallet on hold: the one that a transaction names, or that of an address.

import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../../components/form-dialog.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';

const empty = { address: '', reason: '', until: '' };

export function HoldWallet({ transactionId }: { readonly transactionId?: string | undefined }) {
  const [{ address, reason, until }, setValues] = useState(empty);
  const set = (name: keyof typeof empty) => (e: { readonly currentTarget: { readonly value: string } }) => {
    const { value } = e.currentTarget;
    setValues((v) => ({ ...v, [name]: value }));
  };
  const hold = useDo('holdWallet', { done: say('The wallet is on hold') });
  if (!useMay('holdWallet')) return null;
  return (
    <FormDialog
      label={transactionId ? say('Put the wallet on hold') : say('Put a wallet on hold')}
      action={say('Put on hold')}
      button={transactionId ? { size: 'xs', variant: 'default' } : {}}
      color="brick"
      incomplete={(!transactionId && address.trim() === '') || reason.trim() === ''}
      onSubmit={async () => {
        const wallet = transactionId ? { transactionId } : { address: address.trim() };
        await hold.mutateAsync({ ...wallet, reason: reason.trim(), ...(until ? { until: `${until}:00Z` } : {}) });
        setValues(empty);
      }}
    >
      {transactionId ? null : (
        <TextInput
          label={say('Address')}
          description={say('Stored sealed. Capital or small letters are the same wallet.')}
          required
          maxLength={200}
          value={address}
          onChange={set('address')}
        />
      )}
      <ReasonField
        description={say('Kept in the journal with your name: name no persons.')}
        maxLength={500}
        value={reason}
        onChange={set('reason')}
      />
      <TextInput
        label={say('Until (UTC)')}
        description={say('Empty: until somebody ends it.')}
        type="datetime-local"
        value={until}
        onChange={set('until')}
      />
    </FormDialog>
  );
}
