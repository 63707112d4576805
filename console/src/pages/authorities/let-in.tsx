// Lets an authority in, or changes what it sees. Where two people are required it becomes a proposal.

import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { CountryChoice } from '../../components/country-choice.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { tagOf } from '../../data/assay.ts';
import { told } from '../../data/errors.ts';
import { tellRefusal, useDo, usePropose } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import { kindChoices, listedKinds } from '../authority/pages.ts';
import type { Authority } from './view-fields.ts';

const isSaid = (v: string | null) => (v?.trim() ? null : say('Needed'));

/** @param authority the one to be changed; without it, a new one is let in */
export function LetIn({ authority }: { readonly authority?: Authority }) {
  const [opened, { open, close }] = useDisclosure(false);
  const title = authority ? say('Change what it sees') : say('Let an authority in');
  return (
    <>
      <Button variant={authority ? 'default' : 'filled'} onClick={open}>
        {title}
      </Button>
      <Modal opened={opened} onClose={close} title={title}>
        <ViewForm authority={authority} close={close} />
      </Modal>
    </>
  );
}

function ViewForm({ authority, close }: { readonly authority: Authority | undefined; readonly close: () => void }) {
  const done = say('It is so from now on');
  const create = useDo('createAuthority', { asOperator: true, quiet: true, done });
  const [basedOn] = useState(() => tagOf(authority));
  const change = useDo('changeAuthority', { asOperator: true, basedOn, quiet: true, done });
  const propose = usePropose();
  const form = useForm({
    initialValues: {
      name: authority?.name ?? '',
      countryCode: authority?.countryCode ?? '',
      taxCodes: authority?.taxCodes?.join(', ') ?? '',
      recordKinds: (authority?.recordKinds ?? listedKinds.map((k) => k.value)) as string[],
      dayFrom: authority?.dayFrom ?? '',
      dayTo: authority?.dayTo ?? '',
      until: authority?.until.slice(0, 10) ?? '',
      reason: '',
    },
    validate: {
      name: isSaid,
      countryCode: isSaid,
      recordKinds: (v) => (v.length > 0 ? null : say('Choose at least one')),
      dayFrom: isSaid,
      until: isSaid,
      reason: isSaid,
    },
  });
  const submit = form.onSubmit(async ({ name, reason, taxCodes, recordKinds, dayTo, until, ...v }) => {
    const codes = taxCodes.split(/[\s,]+/).filter((c) => c !== '');
    const view = {
      ...v,
      recordKinds: kindChoices.map((k) => k.value).filter((k) => recordKinds.includes(k)),
      until: `${until}T00:00:00Z`,
      ...(codes.length > 0 ? { taxCodes: codes.map((c) => c.toUpperCase()) } : {}),
      ...(dayTo ? { dayTo } : {}),
    };
    const of = authority?.authorityId;
    const called = name.trim();
    try {
      if (of) await change.mutateAsync({ ...view, authorityId: of, reason });
      else await create.mutateAsync({ ...view, name: called, reason });
    } catch (error) {
      const { code } = told(error);
      // Said already.
      if (code === 'PRECONDITION') return;
      if (code !== 'TWO_PERSONS') return tellRefusal(error);
      const proposed = of ? { ...view, authorityId: of } : { ...view, name: called };
      if (!(await propose.mutateAsync({ reason, authority: proposed }).catch(() => undefined))) return;
    }
    close();
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {authority ? null : <TextInput label={say('Name')} required data-autofocus {...form.getInputProps('name')} />}
        <CountryChoice {...form.getInputProps('countryCode')} />
        <TextInput
          label={say('Taxes')}
          description={say('Codes of the taxes it is responsible for, with commas between them. Left empty: all.')}
          placeholder="VAT"
          {...form.getInputProps('taxCodes')}
        />
        <Checkbox.Group
          label={say('Kinds of records')}
          description={say(
            'Telephone numbers are masked; those of one call are shown for a reason, which is in the audit.',
          )}
          {...form.getInputProps('recordKinds')}
        >
          <Group mt="xs">
            {kindChoices.map((k) => (
              <Checkbox key={k.value} value={k.value} label={k.label} />
            ))}
          </Group>
        </Checkbox.Group>
        <Group grow align="start">
          <TextInput type="date" label={say('First day')} required {...form.getInputProps('dayFrom')} />
          <TextInput
            type="date"
            label={say('Last day')}
            description={say('Left empty: up to the present.')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('dayTo')}
          />
        </Group>
        <TextInput
          type="date"
          label={say('Access ends')}
          description={say('At the beginning of this day, UTC.')}
          required
          {...form.getInputProps('until')}
        />
        <ReasonField {...form.getInputProps('reason')} />
        <DialogActions
          label={authority ? say('Change') : say('Let in')}
          busy={create.isPending || change.isPending || propose.isPending}
          onCancel={close}
        />
      </Stack>
    </form>
  );
}
