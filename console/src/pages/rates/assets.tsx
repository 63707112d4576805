// Crypto assets that amounts may be in, one row for each network; staff add further ones.

import { Button, Group, Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { DataTable } from '../../components/data-table.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { usePsp } from '../../data/psp.tsx';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';

export function Assets() {
  const { isOperator } = usePsp();
  const may = useMay('addAsset');
  const { data, error, isPending, refetch } = useOp('listAssets', {}, { asOperator: isOperator });
  return (
    <Panel title={say('Crypto assets that amounts may be in')} actions={may ? <AddAsset /> : null} flush>
      <DataTable
        label={say('Crypto assets')}
        pages={{ rows: data?.items, error: error ?? undefined, loading: isPending, retry: () => void refetch() }}
        rowKey={(a) => `${a.symbol} ${a.network}`}
        empty={<Empty title={say('No crypto assets')} />}
        columns={[
          { key: 'symbol', header: say('Symbol'), cell: (a) => a.symbol },
          { key: 'network', header: say('Network'), cell: (a) => a.network },
          { key: 'name', header: say('Name'), cell: (a) => a.name, wideOnly: true },
          { key: 'decimals', header: say('Decimals'), align: 'right', cell: (a) => a.decimals },
          {
            key: 'checked',
            header: say('Addresses and hashes'),
            cell: (a) => (a.checked ? say('checked') : say('not checked: form unknown')),
            wideOnly: true,
          },
          {
            key: 'origin',
            header: say('Origin'),
            cell: (a) => (a.origin === 'operator' ? say('added here') : say('shipped')),
          },
        ]}
      />
    </Panel>
  );
}

function AddAsset() {
  const [opened, { open, close }] = useDisclosure(false);
  const add = useDo('addAsset', {
    asOperator: true,
    done: (a) => say('{symbol} on {network} is added', { symbol: a.symbol, network: a.network }),
  });
  const form = useForm({
    initialValues: { symbol: '', network: '', decimals: '' as string | number, name: '', reason: '' },
    validate: {
      symbol: (v) => (/^[A-Z0-9]{2,12}$/.test(v.trim()) ? null : say('2 to 12 capitals and digits, such as EURC')),
      network: (v) =>
        /^[A-Z][A-Z0-9_]{1,39}$/.test(v.trim()) ? null : say('Capitals, such as ETHEREUM or BITCOIN_CASH'),
      decimals: (v) => (v === '' ? say('Needed') : null),
      name: (v) => (v.trim() ? null : say('Needed')),
      reason: (v) => (v.trim() ? null : say('Needed')),
    },
  });
  const submit = form.onSubmit(async ({ symbol, network, decimals, name, reason }) => {
    const asset = { symbol: symbol.trim(), network: network.trim(), decimals: Number(decimals), name: name.trim() };
    const added = await add.mutateAsync({ ...asset, reason: reason.trim() }).catch(() => undefined);
    if (!added) return;
    form.reset();
    close();
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {say('Add an asset')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('Add a crypto asset')}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <Text size="sm">
              {say('Crypto deposits and withdrawals may then be in it. It stays, and its decimals may only grow.')}
            </Text>
            <Group grow align="flex-start">
              <TextInput label={say('Symbol')} required data-autofocus {...form.getInputProps('symbol')} />
              <NumberInput
                label={say('Decimals')}
                required
                min={0}
                max={24}
                allowDecimal={false}
                {...form.getInputProps('decimals')}
              />
            </Group>
            <TextInput label={say('Network')} required {...form.getInputProps('network')} />
            <TextInput label={say('Name')} required {...form.getInputProps('name')} />
            <ReasonField {...form.getInputProps('reason')} />
            <DialogActions label={say('Add')} busy={add.isPending} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
