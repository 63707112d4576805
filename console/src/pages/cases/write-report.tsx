// Writes a suspicious transaction report of a case: what it is about, who reports it, and the codes of the unit that takes it.

import { Button, Fieldset, Modal, MultiSelect, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { useMe } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import { useTransactionChoices } from './choices.ts';
import type { CaseDetail } from './state.tsx';

const codes = {
  report: say('Kind of report'),
  transmode: say('Way in which it was paid'),
  funds: say('Kind of funds'),
  legalForm: say('Legal form of the client'),
  contact: say('Kind of addresses and telephones'),
  communication: say('Kind of telephones'),
  partyRole: say('Role of those who took part'),
  directorRole: say('Role of directors'),
} as const;
const codeNames = Object.keys(codes) as (keyof typeof codes)[];

export function WriteReport({ of: c }: { readonly of: CaseDetail }) {
  const [opened, { open, close }] = useDisclosure(false);
  // What was typed stays until a report is made of it; nothing is read for one before it is begun.
  const [draft, setDraft] = useState(0);
  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          if (draft === 0) setDraft(1);
          open();
        }}
      >
        {say('Write a report')}
      </Button>
      <Modal opened={opened} onClose={close} keepMounted size="xl" title={say('Suspicious transaction report')}>
        {draft === 0 ? null : <Form key={draft} of={c} close={close} done={() => setDraft(draft + 1)} />}
      </Modal>
    </>
  );
}

/** As many as a report takes. */
const mostTransactions = 500;
const needed = (v: string) => (v.trim() ? null : say('Needed'));
const listed = (text: string) => text.split(/[\s,;]+/).filter((t) => t !== '');

interface FormProps {
  readonly of: CaseDetail;
  readonly close: () => void;
  readonly done: () => void;
}

function Form({ of: c, close, done }: FormProps) {
  const { name, email } = useMe().user;
  const write = useDo('exportStr', { asOperator: true, done: say('The report is in the case; download it there') });
  const choices = useTransactionChoices(c);
  const form = useForm({
    initialValues: {
      ...{ code: 'STR', reportingEntity: '', currency: '', reason: '', action: '', indicators: '', rates: {} },
      transactionIds: choices.named.slice(0, mostTransactions),
      firstName: name.split(' ').slice(0, -1).join(' '),
      ...{ lastName: name.split(' ').at(-1) ?? '', email, address: '', city: '' },
      codes: Object.fromEntries(codeNames.map((n) => [n, ''])),
    } as Values,
    validate: {
      reportingEntity: (v) => (/^[1-9]\d{0,8}$/.test(v) ? null : say('A number, such as 1234')),
      currency: (v) => (/^[A-Z]{3}$/.test(v) ? null : say('A code, such as NGN')),
      ...{ reason: needed, action: needed, indicators: needed, firstName: needed, lastName: needed },
      transactionIds: (ids, { code }) => (ids.length > 0 || code === 'SAR' ? null : say('Needed')),
      address: (v, { city }) => (v.trim() || !city.trim() ? null : say('Needed')),
      city: (v, { address }) => (v.trim() || !address.trim() ? null : say('Needed')),
    },
  });
  const { values } = form;
  // The form is longer than its window: what is missing may be out of sight.
  const focusFirst = (errors: object) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus();
  const others = [...new Set(values.transactionIds.map((id) => choices.currencies.get(id) ?? values.currency))];
  const foreign = others.filter((currency) => values.currency !== '' && currency !== values.currency);
  const submit = form.onSubmit(async (v) => {
    const given = codeNames.filter((n) => v.codes[n]?.trim()).map((n) => [n, v.codes[n]?.trim()]);
    const rates = foreign.map((currency) => ({ currency, rate: v.rates[currency]?.trim() ?? '' }));
    const written = await write
      .mutateAsync({
        ...{ caseId: c.caseId, code: v.code, currency: v.currency, reportingEntity: v.reportingEntity },
        ...{ reason: v.reason.trim(), action: v.action.trim(), indicators: listed(v.indicators) },
        ...{ transactionIds: v.transactionIds, ...(rates.length > 0 ? { rates } : {}) },
        reportedBy: {
          firstName: v.firstName.trim(),
          lastName: v.lastName.trim(),
          ...(v.email ? { email: v.email } : {}),
        },
        ...(v.address.trim() ? { clientAddress: { address: v.address.trim(), city: v.city.trim() } } : {}),
        ...(given.length > 0 ? { codes: Object.fromEntries(given) } : {}),
      })
      .catch(() => undefined);
    if (!written) return;
    close();
    done();
  }, focusFirst);
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label={say('It reports')}
            data={[
              { value: 'STR', label: say('Transactions') },
              { value: 'SAR', label: say('An activity: who took part') },
            ]}
            allowDeselect={false}
            {...form.getInputProps('code')}
          />
          <TextInput
            label={say('Number of the reporting entity')}
            description={say('The number that the intelligence unit gave you.')}
            required
            {...form.getInputProps('reportingEntity')}
          />
        </SimpleGrid>
        <MultiSelect
          label={say('Transactions')}
          description={say('The alerts’ own are chosen, 500 at most; any of the client’s last 100 may be added.')}
          required={values.code === 'STR'}
          data={choices.data}
          maxValues={mostTransactions}
          styles={{ pillsList: { maxHeight: 240, overflowY: 'auto' } }}
          searchable
          {...form.getInputProps('transactionIds')}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={say('Currency')}
            description={say('In which the amounts are reported.')}
            required
            maxLength={3}
            {...form.getInputProps('currency')}
          />
          {foreign.map((currency) => (
            <TextInput
              key={currency}
              label={say('One {currency} in {local}', { currency, local: values.currency })}
              required
              {...form.getInputProps(`rates.${currency}`)}
            />
          ))}
        </SimpleGrid>
        <Textarea
          label={say('Why it is suspicious')}
          description={say('What was paid, by whom, and what does not fit. It may name people.')}
          required
          maxLength={4000}
          autosize
          minRows={3}
          {...form.getInputProps('reason')}
        />
        <Textarea label={say('What was done')} required maxLength={4000} autosize {...form.getInputProps('action')} />
        <TextInput
          label={say('Indicators')}
          description={say('Codes of the intelligence unit, with commas between them.')}
          required
          {...form.getInputProps('indicators')}
        />
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <TextInput label={say('First name')} required {...form.getInputProps('firstName')} />
          <TextInput label={say('Last name')} required {...form.getInputProps('lastName')} />
          <TextInput label={say('E-mail')} {...form.getInputProps('email')} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label={say('Address of the client')} maxLength={100} {...form.getInputProps('address')} />
          <TextInput label={say('Town or city')} maxLength={255} {...form.getInputProps('city')} />
        </SimpleGrid>
        <Fieldset legend={say('Codes of the intelligence unit’s lists')}>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {codeNames.map((n) => (
              <TextInput
                key={n}
                label={codes[n]}
                placeholder="-"
                maxLength={20}
                {...form.getInputProps(`codes.${n}`)}
              />
            ))}
          </SimpleGrid>
        </Fieldset>
        <DialogActions label={say('Write the report')} busy={write.isPending} onCancel={close} />
      </Stack>
    </form>
  );
}

interface Values {
  code: 'STR' | 'SAR';
  reportingEntity: string;
  currency: string;
  reason: string;
  action: string;
  indicators: string;
  rates: Record<string, string>;
  transactionIds: string[];
  firstName: string;
  lastName: string;
  email: string;
  address: string;
  city: string;
  codes: Record<string, string>;
}
