// The form that records a declaration for a month, with one line for each class or tax.

import { ActionIcon, Button, Group, Modal, Paper, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { ClientSelect } from '../../components/client-select.tsx';
import { plainNumber } from '../../data/amounts.ts';
import { useDo } from '../../data/use-do.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { type CallClass, callClasses, className } from './parts.ts';

const amounts = ['minutes', 'dataMb', 'gross', 'taxable', 'tax'] as const;
const titles = {
  minutes: say('Minutes'),
  dataMb: say('Data, MB'),
  gross: say('Gross'),
  taxable: say('Taxable'),
  tax: say('Tax'),
} as const;
const number = /^-?\d{1,24}(\.\d{1,12})?$/;
const bad = (v: string) => (v.trim() === '' || number.test(plainNumber(v)) ? null : say('A number, such as 1250.50'));

let lines = 0;
const emptyLine = () => ({
  key: ++lines,
  class: '',
  taxCode: '',
  currency: '',
  records: '',
  minutes: '',
  dataMb: '',
  gross: '',
  taxable: '',
  tax: '',
});
type Line = ReturnType<typeof emptyLine>;

/** A line as sent to the service: empty fields are left out, and amounts stay decimal text. */
const sent = (l: Line) => ({
  currency: l.currency.trim().toUpperCase(),
  ...(l.class ? { class: l.class as CallClass } : {}),
  ...(l.taxCode.trim() ? { taxCode: l.taxCode.trim() } : {}),
  ...(l.records ? { records: Number(l.records) } : {}),
  ...Object.fromEntries(amounts.flatMap((a) => (l[a].trim() ? [[a, plainNumber(l[a])]] : []))),
});

export function Declare() {
  const [opened, { open, close }] = useDisclosure(false);
  const [clientId, setClientId] = useState<string | undefined>();
  const declare = useDo('declareCdr', {
    done: (d) => say('Revision {revision} of {period} recorded', { revision: d.revision, period: d.period }),
    clientId,
  });
  const form = useForm({
    initialValues: { period: '', lines: [emptyLine()] },
    validate: {
      period: (v) => (/^\d{4}-\d\d$/.test(v) ? null : say('A month, such as 2026-10')),
      lines: {
        currency: (v) => (/^[A-Za-z]{3}$/.test(v.trim()) ? null : say('Three letters, such as NGN')),
        records: (v) => (/^\d*$/.test(v) ? null : say('A whole number')),
        minutes: bad,
        dataMb: bad,
        gross: bad,
        taxable: bad,
        tax: bad,
      },
    },
  });
  const submit = form.onSubmit(async ({ period, lines }) => {
    const done = await declare.mutateAsync({ period, lines: lines.map(sent) }).catch(() => undefined);
    if (!done) return;
    form.reset();
    close();
  });
  return (
    <>
      <Button onClick={open}>{say('Declare')}</Button>
      <Modal opened={opened} onClose={close} size="xl" title={say('Record what was declared')}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
              <TextInput
                label={say('Month')}
                type="month"
                placeholder="2026-10"
                required
                data-autofocus
                {...form.getInputProps('period')}
              />
              <ClientSelect label={say('Client (none: the PSP itself)')} value={clientId} onChange={setClientId} />
            </SimpleGrid>
            {form.values.lines.map((line, i) => (
              <Paper key={line.key} p="sm" role="group" aria-label={say('Line {i}', { i: i + 1 })}>
                <Group justify="space-between" mb="xs">
                  <Text size="sm" fw={600}>
                    {rich('Line {i}', { i: i + 1 })}
                  </Text>
                  {form.values.lines.length > 1 ? (
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={say('Take out line {i}', { i: i + 1 })}
                      onClick={() => form.removeListItem('lines', i)}
                    >
                      <IconTrash size={16} />
                    </ActionIcon>
                  ) : null}
                </Group>
                <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="xs">
                  <Select
                    label={say('Class')}
                    placeholder={say('All')}
                    clearable
                    clearButtonProps={{ 'aria-label': say('All classes') }}
                    data={callClasses.map((c) => ({ value: c, label: className(c) }))}
                    {...form.getInputProps(`lines.${i}.class`)}
                    value={line.class || null}
                    onChange={(v) => form.setFieldValue(`lines.${i}.class`, v ?? '')}
                  />
                  <TextInput label={say('Tax')} placeholder="VAT" {...form.getInputProps(`lines.${i}.taxCode`)} />
                  <TextInput
                    label={say('Currency')}
                    required
                    maxLength={3}
                    {...form.getInputProps(`lines.${i}.currency`)}
                  />
                  <TextInput label={say('Records')} inputMode="numeric" {...form.getInputProps(`lines.${i}.records`)} />
                  {amounts.map((a) => (
                    <TextInput
                      key={a}
                      label={titles[a]}
                      inputMode="decimal"
                      {...form.getInputProps(`lines.${i}.${a}`)}
                    />
                  ))}
                </SimpleGrid>
              </Paper>
            ))}
            <Group justify="space-between">
              <Button variant="default" onClick={() => form.insertListItem('lines', emptyLine())}>
                {say('Another line')}
              </Button>
              <Group gap="xs">
                <Button variant="default" onClick={close}>
                  {say('Cancel')}
                </Button>
                <Button type="submit" loading={declare.isPending}>
                  {say('Record|verb')}
                </Button>
              </Group>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
