// The dialogs that change a client's level or place a hold, each with what that would have turned.

import { Button, Checkbox, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { inWords } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import { ChangePreview } from './change-preview.tsx';

type Client = Content<'getClient'>;

const levels: readonly string[] = ['UNVERIFIED', 'BASIC', 'ENHANCED'];
/** As if the hold had been there all the time. */
const always = '1970-01-01T00:00:00Z';

export function Level({ client }: { readonly client: Client }) {
  const [opened, dialog] = useDisclosure(false);
  const set = useDo('setStanding', { asOperator: true, done: say('The level is changed') });
  const propose = useDo('openProposal', { asOperator: true, done: say('Proposed; another person has to approve it') });
  const form = useForm({
    initialValues: { level: client.verificationLevel as 'UNVERIFIED' | 'BASIC' | 'ENHANCED', reason: '' },
    validate: { reason: (v) => (v.trim() ? null : say('Needed')) },
  });
  const { close } = dialog;
  const open = () => {
    // The level may be another one than when the page was opened.
    form.setValues({ level: client.verificationLevel as typeof form.values.level, reason: '' });
    dialog.open();
  };
  const submit = form.onSubmit(async ({ level, reason }) => {
    const { clientId } = client;
    const why = reason.trim();
    const done = isHigher(level)
      ? await propose.mutateAsync({ reason: why, level: { clientId, verificationLevel: level } }).catch(() => undefined)
      : await set.mutateAsync({ accountId: clientId, verificationLevel: level, reason: why }).catch(() => undefined);
    if (done) close();
  });
  const rank = (level: string) => levels.indexOf(level);
  const isHigher = (level: string) => rank(level) > rank(client.verificationLevel);
  const { level } = form.values;
  return (
    <>
      <Button variant="default" onClick={open}>
        {say('Change level')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('Verification level')}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <Select
              label={say('Level')}
              allowDeselect={false}
              data={levels.map((l) => ({ value: l, label: inWords(l) }))}
              {...form.getInputProps('level')}
            />
            {isHigher(level) ? (
              <Text size="sm">
                {say(
                  'A higher level is proposed: what it asks for must have been shown, and another person approves it.',
                )}
              </Text>
            ) : null}
            {level === client.verificationLevel ? null : (
              <ChangePreview accountId={client.clientId} idea={{ verificationLevel: level }} />
            )}
            <ReasonField {...form.getInputProps('reason')} />
            <DialogActions
              label={isHigher(level) ? say('Propose the level') : say('Change level')}
              busy={set.isPending || propose.isPending}
              onCancel={close}
            />
          </Stack>
        </form>
      </Modal>
    </>
  );
}

export function PlaceHold({ accountId }: { readonly accountId: string }) {
  const [opened, { open, close }] = useDisclosure(false);
  const place = useDo('placeHold', { asOperator: true, done: say('The hold is placed') });
  const form = useForm({
    initialValues: { code: '', reason: '', blocking: true },
    validate: {
      code: (v) => (/^[A-Z][A-Z0-9_]{1,39}$/.test(v) ? null : say('Capitals, digits and _, such as AML_REVIEW')),
      reason: (v) => (v.trim() ? null : say('Needed')),
    },
  });
  const submit = form.onSubmit(async ({ code, reason, blocking }) => {
    const done = await place.mutateAsync({ accountId, code, reason: reason.trim(), blocking }).catch(() => undefined);
    if (!done) return;
    form.reset();
    close();
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {say('Place a hold')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('Place a hold')}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <TextInput
              label={say('Code')}
              description={say(
                'Such as AML_REVIEW. Code and reason are for operators; the client sees that it is under review.',
              )}
              required
              data-autofocus
              {...form.getInputProps('code')}
            />
            <ReasonField {...form.getInputProps('reason')} />
            <Checkbox
              label={say('Declines every transaction while it is in force')}
              description={say('Otherwise it is a remark, which the client does not see')}
              {...form.getInputProps('blocking', { type: 'checkbox' })}
            />
            {form.values.blocking ? <ChangePreview accountId={accountId} idea={{ holdFrom: always }} /> : null}
            <DialogActions label={say('Place the hold')} busy={place.isPending} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
