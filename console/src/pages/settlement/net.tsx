// The dialog that nets a chargeback: which parts of it were subtracted from which later transaction.

import { Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogActions, useFocusBack } from '../../components/dialog-actions.tsx';
import { groupDigits, plainNumber } from '../../data/amounts.ts';
import { isIdOf } from '../../data/id-kind.ts';
import { useDo } from '../../data/use-do.ts';
import { say } from '../../words/words.ts';
import type { Outstanding } from './outstanding.tsx';
import { type Part, partNames, parts } from './parts.ts';

const number = /^\d{1,38}(\.\d{1,18})?$/;

interface NetProps {
  readonly chargeback: Outstanding;
  readonly onClose: () => void;
}

export function Net({ chargeback: c, onClose }: NetProps) {
  useFocusBack();
  const net = useDo('netChargeback', {
    done: say('Netted'),
    clientId: isIdOf('client', c.clientId) ? c.clientId : undefined,
  });
  const left = (p: Part): string => c.outstanding[p] ?? '0';
  const form = useForm<Record<Part | 'ref' | 'transactionId', string>>({
    initialValues: {
      ref: `net-${c.ref}`,
      transactionId: '',
      ...(Object.fromEntries(parts.map((p) => [p, left(p)])) as Record<Part, string>),
    },
    validate: {
      ref: (v) => (v.trim() === '' ? say('A name of your own for this netting') : null),
      transactionId: (v) => (/^txn_[0-9a-z]+$/.test(v.trim()) ? null : say('The id of a later transaction, txn_…')),
      ...(Object.fromEntries(
        parts.map((p) => [
          p,
          (v: string) => (v.trim() === '' || number.test(plainNumber(v)) ? null : say('An amount, such as 7.50')),
        ]),
      ) as Record<Part, (v: string) => string | null>),
    },
  });
  const submit = form.onSubmit(async (v) => {
    const amounts = Object.fromEntries(
      parts.map((p) => [p, plainNumber(v[p])]).filter(([, amount]) => !/^0*(\.0*)?$/.test(amount as string)),
    );
    const done = await net
      .mutateAsync({
        ref: v.ref.trim(),
        chargebackId: c.chargebackId,
        transactionId: v.transactionId.trim(),
        ...amounts,
      })
      .catch(() => undefined);
    if (done) onClose();
  });
  return (
    <Modal opened onClose={onClose} title={say('Net the chargeback of {ref}', { ref: c.ref })}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">
            {say(
              'Of each part never more than is outstanding, and never more than the later transaction settles to that party.',
            )}
          </Text>
          <TextInput label={say('Ref')} required {...form.getInputProps('ref')} />
          <TextInput
            label={say('Later transaction')}
            description={say('From whose settlement it was subtracted.')}
            placeholder="txn_…"
            required
            data-autofocus
            {...form.getInputProps('transactionId')}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            {parts.map((p) => (
              <TextInput
                key={p}
                label={partNames[p]}
                description={say('Outstanding {amount} {currency}', {
                  amount: groupDigits(left(p), c.currency),
                  currency: c.currency,
                })}
                inputMode="decimal"
                {...form.getInputProps(p)}
              />
            ))}
          </SimpleGrid>
          <DialogActions label={say('Net')} busy={net.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
