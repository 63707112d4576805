// The fields that distinguish a new row from others: the tax, what it is charged on, and what it is limited to.

import { Checkbox, MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { inWords } from '../../components/status-badge.tsx';
import { baseWords, buyerWords, debtorWords, sellerWords, supplyWords } from '../../data/tax-words.ts';
import { say } from '../../words/words.ts';
import { classifications, inOneWord } from './rule.ts';
import { type Identity, isDuty, namesAuthority, type TaxFile } from './tax-file.ts';

const operations = [
  ...['verifyTransaction', 'deposit', 'withdrawal', 'cryptoDeposit', 'cryptoWithdrawal'],
  ...['captureWager', 'capturePayout', 'recordCDR'],
];
const categories = [
  ...['standard', 'reduced', 'super_reduced', 'zero', 'exempt', 'none', 'gambling', 'crypto_exchange'],
  ...['payment_service', 'telecom_voice', 'telecom_sms', 'telecom_data', 'telecom_incoming', 'telecom_outgoing'],
];
const bearers = ['CUSTOMER', 'MERCHANT', 'OPERATOR', 'PLAYER', 'PSP'];

export const useIdentity = (file: TaxFile) =>
  useForm<Identity>({
    initialValues: {
      taxCode: file.rules[0]?.taxCode ?? 'VAT',
      category: 'reduced',
      operations: ['verifyTransaction'],
      base: 'GROSS_INCLUSIVE',
      bearer: 'CUSTOMER',
      inTransaction: true,
      supplies: [],
      mccRanges: [],
      classifications: [],
      productLines: [],
      subdivision: '',
      customer: '',
      client: '',
      owedBy: 'PSP',
      authority: '',
    },
    validate: {
      taxCode: (v) => (/^[A-Z][A-Z0-9_]{1,23}$/.test(v) ? null : say('Capital letters, such as VAT')),
      operations: (v) => (v.length > 0 ? null : say('At least one')),
      mccRanges: (v, i) =>
        v.some((m) => !/^\d{4}(-\d{4})?$/.test(m))
          ? say('Codes such as 5812 or 5812-5814')
          : v.length > 0 && i.supplies.length > 0
            ? say('Either codes or what is sold')
            : null,
    },
  });

/** Bases that no single record has. */
const byReturnOnly = ['GGR_PERIOD', 'RECHARGE'];

type Words = Readonly<Record<string, string>>;
const choices = (words: Words) => Object.entries(words).map(([value, label]) => ({ value, label }));

export function IdentityFields({ form, file }: { readonly form: UseFormReturnType<Identity>; readonly file: TaxFile }) {
  const { base, operations: asked } = form.values;
  const sale = asked.includes('verifyTransaction');
  const gaming = asked.some((o) => o === 'captureWager' || o === 'capturePayout');
  const limited = (field: 'customer' | 'client', label: string, words: Words) => (
    <Select
      label={label}
      placeholder={say('All')}
      clearable
      data={choices(words)}
      value={form.values[field] || null}
      onChange={(v) => form.setFieldValue(field, v ?? '')}
    />
  );
  return (
    <>
      <TextInput
        label={say('Tax')}
        description={say('Its code; {name} has {value}.', {
          name: file.name,
          value: [...new Set(file.rules.map((r) => r.taxCode))].join(', '),
        })}
        required
        {...form.getInputProps('taxCode')}
      />
      <Select
        label={say('Category')}
        data={categories.map((value) => ({ value, label: inWords(value) }))}
        allowDeselect={false}
        {...form.getInputProps('category')}
      />
      <MultiSelect
        label={say('Operations')}
        required
        data={operations.map((value) => ({ value, label: inOneWord(value) }))}
        {...form.getInputProps('operations')}
      />
      <Select
        label={say('Charged on')}
        data={choices(baseWords)}
        allowDeselect={false}
        {...form.getInputProps('base')}
        onChange={(v) => {
          if (!v) return;
          form.setFieldValue('base', v);
          if (byReturnOnly.includes(v)) form.setFieldValue('inTransaction', false);
        }}
      />
      {sale ? (
        <>
          <MultiSelect
            label={say('Only what is sold')}
            placeholder={say('Anything')}
            data={choices(supplyWords)}
            {...form.getInputProps('supplies')}
          />
          <TagsInput
            label={say('Only merchant category codes')}
            placeholder="5812-5814"
            {...form.getInputProps('mccRanges')}
          />
          {limited('customer', say('Only customers'), buyerWords)}
          {limited('client', say('Only clients by their tax profile'), sellerWords)}
          <TextInput
            label={say('Only in a part of the country')}
            placeholder={`${file.jurisdiction}-…`}
            {...form.getInputProps('subdivision')}
          />
        </>
      ) : null}
      {gaming ? (
        <TagsInput
          label={say('Only product lines')}
          placeholder={say('sports')}
          {...form.getInputProps('productLines')}
        />
      ) : null}
      <MultiSelect
        label={say('Only clients classified as')}
        placeholder={say('Any')}
        data={classifications.map((value) => ({ value, label: inWords(value) }))}
        {...form.getInputProps('classifications')}
      />
      <Select
        label={say('Borne by')}
        data={bearers.map((value) => ({ value, label: inWords(value) }))}
        allowDeselect={false}
        {...form.getInputProps('bearer')}
      />
      <Checkbox
        label={say('Part of each record; otherwise due by periodic return')}
        disabled={byReturnOnly.includes(base)}
        {...form.getInputProps('inTransaction', { type: 'checkbox' })}
      />
      {isDuty(form.values) ? (
        <Select
          label={say('Owed to the authority by')}
          data={choices(debtorWords)}
          allowDeselect={false}
          {...form.getInputProps('owedBy')}
        />
      ) : null}
      {namesAuthority(form.values) ? (
        <TextInput
          label={say('Paid to')}
          description={say('The authority by its own name; empty if no source names it.')}
          {...form.getInputProps('authority')}
        />
      ) : null}
    </>
  );
}
