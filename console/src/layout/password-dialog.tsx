// A dialog to change the signed-in person's password.
import { Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { PasswordForm } from '../components/password-form.tsx';

export default function PasswordDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Change password">
      <PasswordForm
        onDone={() => {
          notifications.show({ message: 'Your password is changed.', color: 'verdigris' });
          onClose();
        }}
      />
    </Modal>
  );
}
