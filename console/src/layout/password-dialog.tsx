// A dialog to change the signed-in person's password.

import { Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { PasswordForm } from '../components/password-form.tsx';
import { say } from '../words/words.ts';

export default function PasswordDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={say('Change password')}>
      <PasswordForm
        onDone={() => {
          notifications.show({ message: say('Your password is changed.'), color: 'verdigris' });
          onClose();
        }}
      />
    </Modal>
  );
}
