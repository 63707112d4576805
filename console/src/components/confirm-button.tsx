// A button that asks for confirmation, and for a reason if the journal records one.

import { Button, type ButtonProps, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, type ReactNode, useState } from 'react';
import { say } from '../words/words.ts';
import { DialogActions } from './dialog-actions.tsx';

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

export function ConfirmButton(p: Props) {
  const { label, question, children, reason = 'none', onConfirm, danger = false, disabled = false } = p;
  const { kept = say('Kept in the journal with your name.') } = p;
  const [opened, { open, close }] = useDisclosure(false);
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    try {
      await onConfirm(text.trim());
      setText('');
      close();
    } catch {
      // The mutation has shown the error; the dialog stays open so that no input is lost.
    } finally {
      setBusy(false);
    }
  }
  return (
    <>
      <Button
        variant={p.variant ?? 'default'}
        {...(p.size ? { size: p.size } : {})}
        {...(danger && p.variant ? { color: 'brick' } : {})}
        disabled={disabled}
        onClick={open}
      >
        {label}
      </Button>
      <Modal opened={opened} onClose={close} title={question}>
        <form onSubmit={submit}>
          <Stack>
            {children ? (
              <Text size="sm" component="div">
                {children}
              </Text>
            ) : null}
            {reason === 'none' ? null : (
              <Textarea
                label={say('Reason')}
                description={kept}
                required={reason === 'required'}
                value={text}
                onChange={(e) => setText(e.currentTarget.value)}
                maxLength={500}
                autosize
                minRows={2}
                data-autofocus
              />
            )}
            <DialogActions label={label} busy={busy} onCancel={close} color={danger ? 'brick' : 'verdigris'} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
