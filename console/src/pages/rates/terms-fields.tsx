// The fields of a row's terms: its rate, brackets or amount, its first day, the law and its source, and an example.

import { ActionIcon, Button, Checkbox, Fieldset, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { IconX } from '@tabler/icons-react';
import { plainNumber } from '../../data/amounts.ts';
import { reasonWords } from '../../data/tax-words.ts';
import { say } from '../../words/words.ts';
import { isZero, kindsFor, type Row, type TermKind, type Terms } from './tax-file.ts';

const kindWords: Readonly<Record<TermKind, string>> = {
  rate: say('A rate'),
  brackets: say('Brackets: each part of the amount at its own rate'),
  slabs: say('Slabs: the whole amount by the slab it falls into'),
  unitAmount: say('An amount per unit'),
};
const confidences = [
  { value: 'official', label: say('Official: the law or the authority’s own page was read') },
  { value: 'secondary', label: say('Secondary: a professional summary or the press') },
  { value: 'unverified', label: say('Unverified: held against no other source') },
  { value: 'assumed', label: say('Assumed: no source says so') },
];
const number = /^\d{1,30}(\.\d{1,18})?$/;
const isDay = (v: string) => /^\d{4}-\d{2}-\d{2}$/.test(v);
const needed = (v: string) => (v.trim() ? null : say('Needed'));
const figure = (v: string) => (number.test(plainNumber(v)) ? null : say('A number, such as 7.5'));

/** @param row whose terms are changed; its day and source are entered again */
export const useTerms = (row: Row | undefined, base: string) =>
  useForm<Terms>({
    initialValues: {
      kind: row ? (kindsFor(base).find((k) => row[k] !== undefined) ?? 'rate') : (kindsFor(base)[0] ?? 'rate'),
      rate: row?.rate ?? '',
      unitAmount: row?.unitAmount ?? '',
      steps: (row?.brackets ?? row?.slabs ?? [{}, {}]).map((s) => ({
        upTo: s.upTo ?? '',
        value: s.amount ?? s.rate ?? '',
        fixed: s.amount !== undefined,
      })),
      reason: row?.reason ?? 'EXEMPT',
      validFrom: '',
      law: row?.legalRef ?? '',
      title: '',
      publisher: '',
      url: '',
      confidence: 'official',
      says: '',
      exampleAmount: '',
      exampleTax: '',
    },
    validate: {
      rate: (v, t) => (t.kind === 'rate' ? figure(v) : null),
      unitAmount: (v, t) => (t.kind === 'unitAmount' ? figure(v) : null),
      steps: {
        upTo: (v, t, path) => {
          if (t.kind !== 'brackets' && t.kind !== 'slabs') return null;
          const last = Number(path.split('.')[1]) === t.steps.length - 1;
          return last ? (v.trim() ? say('The last one has no end') : null) : figure(v);
        },
        value: (v, t) => (t.kind === 'brackets' || t.kind === 'slabs' ? figure(v) : null),
      },
      validFrom: (v) =>
        !isDay(v)
          ? say('A day, such as 2027-01-01')
          : row && v <= row.validFrom
            ? say('After {validFrom}, when the row began', { validFrom: row.validFrom })
            : row?.validTo && v >= row.validTo
              ? say('Before {validTo}, when the row ends', { validTo: row.validTo })
              : null,
      title: needed,
      publisher: needed,
      url: (v, t) =>
        v.trim() === ''
          ? ['official', 'secondary'].includes(t.confidence)
            ? say('Needed for this confidence')
            : null
          : /^https?:\/\/\S+$/.test(v.trim())
            ? null
            : say('An address, such as https://…'),
      exampleAmount: (v) => (v.trim() === '' ? null : figure(v)),
      exampleTax: (v, t) => (t.exampleAmount.trim() === '' ? null : figure(v)),
    },
  });

interface Props {
  readonly form: UseFormReturnType<Terms>;
  readonly base: string;
  readonly currency: string;
}

export function TermsFields({ form, base, currency }: Props) {
  const { kind, rate } = form.values;
  const kinds = kindsFor(base);
  return (
    <>
      {kinds.length > 1 ? (
        <Select
          label={say('Terms')}
          data={kinds.map((value) => ({ value, label: kindWords[value] }))}
          allowDeselect={false}
          {...form.getInputProps('kind')}
        />
      ) : null}
      {kind === 'rate' ? (
        <TextInput label={say('New rate, %')} inputMode="decimal" required {...form.getInputProps('rate')} />
      ) : null}
      {kind === 'rate' && isZero(rate) ? (
        <Select
          label={say('Why it is 0')}
          data={Object.entries(reasonWords).map(([value, label]) => ({ value, label }))}
          allowDeselect={false}
          {...form.getInputProps('reason')}
        />
      ) : null}
      {kind === 'unitAmount' ? (
        <TextInput
          label={say('Amount per unit, {currency}', { currency })}
          inputMode="decimal"
          required
          {...form.getInputProps('unitAmount')}
        />
      ) : null}
      {kind === 'brackets' || kind === 'slabs' ? <Steps form={form} currency={currency} /> : null}
      <TextInput label={say('Valid from')} type="date" required {...form.getInputProps('validFrom')} />
      <Fieldset legend={say('Where it stands')}>
        <Stack gap="sm">
          <TextInput label={say('Law')} placeholder={say('Finance Act 2026, s. 12')} {...form.getInputProps('law')} />
          <TextInput label={say('Title of the source')} required {...form.getInputProps('title')} />
          <TextInput label={say('Publisher')} required {...form.getInputProps('publisher')} />
          <TextInput label={say('Address')} type="url" placeholder="https://" {...form.getInputProps('url')} />
          <Textarea
            label={say('What it says')}
            description={say('In your own words.')}
            autosize
            minRows={2}
            {...form.getInputProps('says')}
          />
          <Select
            label={say('Confidence')}
            data={confidences}
            allowDeselect={false}
            {...form.getInputProps('confidence')}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend={say('Example, worked out by hand')}>
        <Group grow align="flex-start">
          <TextInput
            label={say('Amount, {currency}', { currency })}
            inputMode="decimal"
            {...form.getInputProps('exampleAmount')}
          />
          <TextInput
            label={say('Tax of it, {currency}', { currency })}
            inputMode="decimal"
            {...form.getInputProps('exampleTax')}
          />
        </Group>
      </Fieldset>
    </>
  );
}

function Steps({ form, currency }: { readonly form: UseFormReturnType<Terms>; readonly currency: string }) {
  const { steps, kind } = form.values;
  return (
    <Fieldset legend={kind === 'brackets' ? say('Brackets') : say('Slabs')}>
      <Stack gap="sm">
        {steps.map((step, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other name than its place
          <Group key={i} align="flex-start" wrap="nowrap" gap="xs">
            <TextInput
              flex={1}
              label={i === steps.length - 1 ? say('Above') : say('Up to, {currency}', { currency })}
              disabled={i === steps.length - 1}
              inputMode="decimal"
              {...form.getInputProps(`steps.${i}.upTo`)}
            />
            <TextInput
              flex={1}
              label={kind === 'slabs' && step.fixed ? say('Tax, {currency}', { currency }) : say('Rate, %')}
              inputMode="decimal"
              {...form.getInputProps(`steps.${i}.value`)}
            />
            {kind === 'slabs' ? (
              <Checkbox
                mt={30}
                label={say('Amount')}
                {...form.getInputProps(`steps.${i}.fixed`, { type: 'checkbox' })}
              />
            ) : null}
            <ActionIcon
              mt={26}
              variant="subtle"
              color="gray"
              aria-label={say('Remove step {i}', { i: i + 1 })}
              disabled={steps.length === 1}
              onClick={() => form.removeListItem('steps', i)}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          size="xs"
          onClick={() => form.insertListItem('steps', { upTo: '', value: '', fixed: false }, steps.length - 1)}
        >
          {say('Add a step')}
        </Button>
      </Stack>
    </Fieldset>
  );
}
