// A button that asks for confirmation, and for a reason if the journal records one.

import { type ButtonProps, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { say } from '../words/words.ts';
import { FormDialog } from './form-dialog.tsx';
import { ReasonField } from './reason-field.tsx';

interface Props {
  /** A verb, shown on the button and in the dialog's footer. */
  readonly label: string;
  /** The dialog's heading, as a question. */
  readonly question: string;
  /** What will happen. */
  readonly children?: ReactNode;
  readonly reason?: 'required' | 'optional' | 'none';
  /** Where the reason is kept, and who may read it. */
  readonly kept?: string;
  /** Receives the reason (empty if none was requested); the dialog closes once it resolves. */
  readonly onConfirm: (reason: string) => Promise<unknown>;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly variant?: ButtonProps['variant'];
  readonly size?: ButtonProps['size'];
}

export function ConfirmButton({ reason = 'none', danger = false, ...p }: Props) {
  const [text, setText] = useState('');
  const button = {
    ...{ variant: p.variant ?? 'default', disabled: p.disabled ?? false },
    ...(p.size ? { size: p.size } : {}),
    ...(danger && p.variant ? { color: 'brick' } : {}),
  };
  return (
    <FormDialog
      label={p.label}
      title={p.question}
      button={button}
      {...(danger ? { color: 'brick' } : {})}
      onSubmit={async () => {
        await p.onConfirm(text.trim());
        setText('');
      }}
    >
      {p.children ? (
        <Text size="sm" component="div">
          {p.children}
        </Text>
      ) : null}
      {reason === 'none' ? null : (
        <ReasonField
          description={p.kept ?? say('Kept in the journal with your name.')}
          required={reason === 'required'}
          value={text}
          onChange={(e) => setText(e.currentTarget.value)}
          maxLength={500}
          data-autofocus
        />
      )}
    </FormDialog>
  );
}
