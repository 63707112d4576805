// Says from which day on a client owes tax on its sales in a country: a new profile, or one in place of an earlier one
// of the same country and day.

import { Button, Group, Modal, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMemo } from 'react';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import type { Content } from '../../data/assay.ts';
import { countryChoices, countryName } from '../../data/countries.ts';
import { dayInWords } from '../../data/moments.ts';
import { numberKindWords, type Scheme, schemeWords, supplyWords } from '../../data/tax-words.ts';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import type { TaxProfile } from './client-tax.tsx';

interface Props {
  readonly client: Content<'getClient'>;
  /** The profile to replace. */
  readonly profile?: TaxProfile | undefined;
}

export function SetTaxProfile({ client, profile }: Props) {
  const [opened, { open, close }] = useDisclosure(false);
  const title = profile
    ? say('Tax profile in {country} from {validFrom}', {
        country: countryName(profile.country),
        validFrom: dayInWords(profile.validFrom),
      })
    : say('Set a tax profile');
  return (
    <>
      <Button
        size="xs"
        variant="default"
        onClick={open}
        {...(profile ? { 'aria-label': say('Change the {title}', { title }) } : {})}
      >
        {profile ? say('Change') : say('Set a tax profile')}
      </Button>
      <Modal opened={opened} onClose={close} title={title}>
        <Form client={client} profile={profile} close={close} />
      </Modal>
    </>
  );
}

/** Schemes that fit: who is registered charges tax or sells only what is exempt. */
const schemesOf = (registered: boolean): readonly Scheme[] =>
  registered ? ['STANDARD', 'FLAT_RATE', 'EXEMPT'] : ['STANDARD', 'SMALL_BUSINESS', 'EXEMPT'];

const numberKinds = Object.entries(numberKindWords).map(([value, label]) => ({ value, label }));
const supplyChoices = Object.entries(supplyWords).map(([value, label]) => ({ value, label }));

function Form({ client, profile: p, close }: Props & { readonly close: () => void }) {
  const countries = useMemo(countryChoices, []);
  const set = useDo('setTaxProfile', { asOperator: true, done: say('The tax profile is set') });
  const form = useForm({
    initialValues: {
      countryCode: p?.country ?? client.countryCode ?? '',
      validFrom: p?.validFrom ?? '',
      registered: (p?.registered ?? true) ? 'yes' : 'no',
      scheme: p?.scheme ?? ('STANDARD' as Scheme),
      taxNumber: p?.taxNumber ?? '',
      taxNumberKind: p?.taxNumberKind ?? null,
      subdivision: p?.subdivision ?? '',
      supply: p?.supply ?? null,
      reason: '',
    },
    validate: {
      countryCode: (v) => (v ? null : say('Needed')),
      validFrom: (v) => (/^\d{4}-\d{2}-\d{2}$/.test(v) ? null : say('A day, such as 2027-01-01')),
      subdivision: (v, { countryCode: c }) =>
        v === '' || new RegExp(`^${c}-[A-Z0-9]{1,3}$`).test(v.trim().toUpperCase())
          ? null
          : say("The country's code and that of the part, such as {c}-CN", { c: c || 'ES' }),
      reason: (v) => (v.trim() ? null : say('Needed')),
    },
  });
  const registered = form.values.registered === 'yes';
  const schemes = schemesOf(registered).map((value) => ({
    value,
    label: value === 'STANDARD' && !registered ? say('None') : schemeWords[value],
  }));
  const register = (v: string) => {
    form.setFieldValue('registered', v);
    if (!schemesOf(v === 'yes').includes(form.values.scheme)) form.setFieldValue('scheme', 'STANDARD');
  };
  const submit = form.onSubmit(async (v) => {
    const done = await set
      .mutateAsync({
        clientId: client.clientId,
        countryCode: v.countryCode,
        validFrom: v.validFrom,
        registered,
        scheme: v.scheme,
        ...(v.taxNumber.trim() ? { taxNumber: v.taxNumber.trim() } : {}),
        ...(v.taxNumber.trim() && v.taxNumberKind ? { taxNumberKind: v.taxNumberKind } : {}),
        ...(v.subdivision.trim() ? { subdivision: v.subdivision.trim().toUpperCase() } : {}),
        ...(v.supply ? { supply: v.supply } : {}),
        reason: v.reason.trim(),
      })
      .catch(() => undefined);
    if (!done) return;
    close();
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">
          {say(
            'It counts for transactions of that day and later, until the next profile of the same country. Recorded ones do not change.',
          )}
        </Text>
        {p ? null : (
          <Group grow align="flex-start">
            <Select
              label={say('Country')}
              required
              searchable
              allowDeselect={false}
              data={countries}
              nothingFoundMessage={say('No such country')}
              {...form.getInputProps('countryCode')}
            />
            <TextInput label={say('From')} type="date" required data-autofocus {...form.getInputProps('validFrom')} />
          </Group>
        )}
        <Radio.Group label={say('Registered for the tax on sales')} value={form.values.registered} onChange={register}>
          <Stack gap={6} mt={6}>
            <Radio value="yes" label={say('Yes: its sales bear the tax, unless all are exempt')} />
            <Radio value="no" label={say('No: its sales bear none')} />
          </Stack>
        </Radio.Group>
        <Select label={say('Scheme')} allowDeselect={false} data={schemes} {...form.getInputProps('scheme')} />
        <Group grow align="flex-start">
          <TextInput label={say('Tax number')} maxLength={60} {...form.getInputProps('taxNumber')} />
          <Select
            label={say('Kind of number')}
            placeholder={say('Not said')}
            clearable
            clearButtonProps={{ 'aria-label': say('Not said') }}
            data={numberKinds}
            {...form.getInputProps('taxNumberKind')}
          />
          <TextInput label={say('Part of the country')} placeholder="ES-CN" {...form.getInputProps('subdivision')} />
        </Group>
        <Select
          label={say('What it sells')}
          description={say('Used where the merchant category of a sale does not say it')}
          placeholder={say('Various')}
          clearable
          clearButtonProps={{ 'aria-label': say('Various') }}
          data={supplyChoices}
          {...form.getInputProps('supply')}
        />
        <ReasonField
          description={say('Kept in the journal with your name.')}
          maxLength={500}
          {...form.getInputProps('reason')}
        />
        <DialogActions label={say('Set')} busy={set.isPending} onCancel={close} />
      </Stack>
    </form>
  );
}
