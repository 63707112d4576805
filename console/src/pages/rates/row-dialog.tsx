// Changes, adds or ends a row of a country's taxes: a form, then what differs, then the proposal.

import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type FormEvent, type ReactNode, useState } from 'react';
import { DialogActions, useFocusBack } from '../../components/dialog-actions.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { inWords } from '../../components/status-badge.tsx';
import { lower } from '../../data/tax-words.ts';
import { usePropose } from '../../data/use-do.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { IdentityFields, useIdentity } from './identity-fields.tsx';
import { RowDiff, termsText } from './row-diff.tsx';
import { daysText, limitOf } from './rule.ts';
import { addRow, changeRate, endRow, type Row, type TaxFile } from './tax-file.ts';
import { TermsFields, useTerms } from './terms-fields.tsx';

export type Action = { readonly kind: 'CHANGE' | 'END'; readonly row: Row } | { readonly kind: 'ADD' };

interface Props {
  readonly file: TaxFile;
  /** In the country's calendar. */
  readonly today: string;
  readonly action: Action;
  readonly onClose: () => void;
  readonly onProposed: () => void;
}

const titles = { CHANGE: say('Change the rate of a row'), END: say('End a row'), ADD: say('Add a row') } as const;

export function RowDialog({ file, today, action, onClose, onProposed }: Props) {
  useFocusBack();
  const [draft, setDraft] = useState<TaxFile>();
  const form = { file, today, onClose, onDraft: setDraft };
  return (
    <Modal opened onClose={onClose} title={draft ? say('What is proposed') : titles[action.kind]} size="lg">
      {/* The form stays as it was filled in while its outcome is looked at. */}
      <div hidden={draft !== undefined}>
        {action.kind === 'CHANGE' ? <ChangeForm {...form} row={action.row} /> : null}
        {action.kind === 'END' ? <EndForm {...form} row={action.row} /> : null}
        {action.kind === 'ADD' ? <AddForm {...form} /> : null}
      </div>
      {draft ? (
        <Confirm before={file} after={draft} onBack={() => setDraft(undefined)} onProposed={onProposed} />
      ) : null}
    </Modal>
  );
}

interface FormProps extends Pick<Props, 'file' | 'today' | 'onClose'> {
  readonly onDraft: (file: TaxFile) => void;
}

function Form({
  onSubmit,
  onCancel,
  children,
}: {
  readonly onSubmit: (e: FormEvent<HTMLFormElement>) => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}) {
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {children}
        <DialogActions label={say('Show what changes')} busy={false} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

function About({ row, file }: { readonly row: Row; readonly file: TaxFile }) {
  const what = [row.taxCode, inWords(row.category).toLowerCase(), limitOf(row)].filter(Boolean).join(', ');
  return (
    <Text size="sm">
      {rich('{ruleId}: {what}. Now {row}, {days}.', {
        ruleId: <b>{row.ruleId}</b>,
        what,
        row: termsText(row, file.currency),
        days: lower(daysText(row)),
      })}
    </Text>
  );
}

function ChangeForm({ file, today, row, onClose, onDraft }: FormProps & { readonly row: Row }) {
  const form = useTerms(row, row.base);
  return (
    <Form onSubmit={form.onSubmit((t) => onDraft(changeRate(file, row, t, today)))} onCancel={onClose}>
      <About row={row} file={file} />
      <TermsFields form={form} base={row.base} currency={row.currency ?? file.currency} />
    </Form>
  );
}

function EndForm({ file, row, onClose, onDraft }: FormProps & { readonly row: Row }) {
  const form = useForm({
    initialValues: { end: '' },
    validate: {
      end: (v) =>
        !/^\d{4}-\d{2}-\d{2}$/.test(v)
          ? say('A day, such as 2027-01-01')
          : v <= row.validFrom
            ? say('After {validFrom}, when the row began', { validFrom: row.validFrom })
            : null,
    },
  });
  return (
    <Form onSubmit={form.onSubmit(({ end }) => onDraft(endRow(file, row.ruleId, end)))} onCancel={onClose}>
      <About row={row} file={file} />
      <TextInput
        label={say('First day without it')}
        description={say(
          'The next wider row of the tax answers from then on; without one the service refuses to end it.',
        )}
        type="date"
        required
        {...form.getInputProps('end')}
      />
    </Form>
  );
}

function AddForm({ file, today, onClose, onDraft }: FormProps) {
  const identity = useIdentity(file);
  const { base } = identity.values;
  return (
    <AddTerms
      // Each base has terms of its own.
      key={base}
      base={base}
      file={file}
      onClose={onClose}
      above={<IdentityFields form={identity} file={file} />}
      onTerms={(t) => {
        if (!identity.validate().hasErrors) onDraft(addRow(file, identity.values, t, today));
      }}
    />
  );
}

interface AddTermsProps {
  readonly base: string;
  readonly file: TaxFile;
  readonly above: ReactNode;
  readonly onClose: () => void;
  readonly onTerms: (t: ReturnType<typeof useTerms>['values']) => void;
}

function AddTerms({ base, file, above, onClose, onTerms }: AddTermsProps) {
  const form = useTerms(undefined, base);
  return (
    <Form onSubmit={form.onSubmit(onTerms)} onCancel={onClose}>
      {above}
      <TermsFields form={form} base={base} currency={file.currency} />
    </Form>
  );
}

interface ConfirmProps {
  readonly before: TaxFile;
  readonly after: TaxFile;
  readonly onBack: () => void;
  readonly onProposed: () => void;
}

function Confirm({ before, after, onBack, onProposed }: ConfirmProps) {
  const [reason, setReason] = useState('');
  const propose = usePropose();
  const send = async () => {
    const made = await propose.mutateAsync({ reason: reason.trim(), country: after as never }).catch(() => undefined);
    if (made) onProposed();
  };
  return (
    <Stack>
      <RowDiff before={before} after={after} />
      <ReasonField
        description={say('Kept in the journal with your name.')}
        maxLength={500}
        value={reason}
        onChange={(e) => setReason(e.currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          {say('Back to the form')}
        </Button>
        <Button onClick={() => void send()} disabled={reason.trim() === ''} loading={propose.isPending}>
          {say('Propose')}
        </Button>
      </Group>
    </Stack>
  );
}
