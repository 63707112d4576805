// A button that opens a dialog with a form. The dialog is closed once what it does has succeeded; otherwise it stays open,
// so that no input is lost.

import { Button, type ButtonProps, Modal, type ModalProps, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, type ReactNode, useState } from 'react';
import { DialogActions } from './dialog-actions.tsx';

interface Props {
  /** A verb, shown on the button. */
  readonly label: string;
  readonly title?: string;
  /** The verb in the dialog's footer, if it is not the button's. */
  readonly action?: string;
  readonly children: ReactNode;
  /** A rejection has been shown by the mutation. */
  readonly onSubmit: () => Promise<unknown>;
  readonly button?: ButtonProps;
  readonly color?: string;
  readonly size?: ModalProps['size'];
  /** Whether something needed is missing yet. */
  readonly incomplete?: boolean;
}

export function FormDialog({ label, title = label, action = label, children, onSubmit, ...p }: Props) {
  const [opened, { open, close }] = useDisclosure(false);
  const [busy, setBusy] = useState(false);
  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    await onSubmit().then(close, () => undefined);
    setBusy(false);
  }
  return (
    <>
      <Button {...p.button} onClick={open}>
        {label}
      </Button>
      <Modal opened={opened} onClose={close} title={title} {...(p.size ? { size: p.size } : {})}>
        <form onSubmit={submit}>
          <Stack>
            {children}
            <DialogActions
              label={action}
              busy={busy}
              onCancel={close}
              color={p.color ?? 'verdigris'}
              disabled={p.incomplete ?? false}
            />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
