// Keys of all accounts in one list: a PSP's and its clients', or for staff those of every PSP; above all those nobody uses.

import { Group, Input, SegmentedControl, Select } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { useFilters } from '../../data/path.ts';
import { usePsp } from '../../data/psp.tsx';
import { pageOf } from '../../data/psp-address.ts';
import { usePsps } from '../../data/psps.ts';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { KeyState } from './keys-panel.tsx';
import { scopesInWords } from './scopes.ts';

const unused = [
  { value: '', label: say('Any') },
  { value: '30', label: say('30 days') },
  { value: '90', label: say('90 days') },
  { value: '365', label: say('1 year') },
];
const states = [
  { value: 'WORKING', label: say('Working') },
  { value: 'ENDED', label: say('Ended') },
  { value: 'ALL', label: say('All') },
];

export function AllKeys() {
  const [filters, setFilters] = useFilters();
  const { ready, isOperator } = usePsp();
  const { data: psps } = usePsps();
  const days = unused.find((u) => u.value === filters.unused)?.value ?? '';
  const state = filters.state === 'ENDED' || filters.state === 'ALL' ? filters.state : 'WORKING';
  const pages = usePages('listAllKeys', {
    ...(days ? { unusedDays: Number(days) } : {}),
    ...(state === 'ALL' ? {} : { state }),
  });
  const nameOf = (pspId: string) => psps?.find((p) => p.pspId === pspId)?.name;
  /** A key of the staff's own account is on no page of a PSP. */
  const pathOf = (k: { readonly keyId: string; readonly pspId: string }) => {
    if (!isOperator) return `/keys/${k.keyId}`;
    return nameOf(k.pspId) === undefined ? undefined : pageOf(k.pspId, `/keys/${k.keyId}`);
  };
  return (
    <Panel title={ready ? say('Keys of the PSP and its clients') : say('Keys of all PSPs and their clients')} flush>
      <Group px="md" pb="sm" gap="md" align="flex-end" component="search" aria-label={say('API keys')}>
        <Input.Wrapper label={say('Unused for')}>
          <SegmentedControl
            display="flex"
            aria-label={say('Unused for')}
            data={unused}
            value={days}
            onChange={(v) => setFilters({ unused: v || undefined })}
          />
        </Input.Wrapper>
        <Select
          label={say('State')}
          allowDeselect={false}
          data={states}
          value={state}
          onChange={(v) => setFilters({ state: v === 'WORKING' ? undefined : (v ?? undefined) })}
        />
      </Group>
      <DataTable
        label={say('API keys')}
        pages={pages}
        rowKey={(k) => k.keyId}
        rowTo={(k) => pathOf(k)}
        empty={
          <Empty title={say('No such key')}>
            {days ? say('Every key that works was used since then.') : undefined}
          </Empty>
        }
        columns={[
          { key: 'name', header: say('Name'), cell: (k) => k.name },
          { key: 'account', header: say('Account'), cell: (k) => k.accountName },
          ...(ready
            ? []
            : [{ key: 'psp', header: 'PSP', cell: (k: { pspId: string }) => nameOf(k.pspId) ?? <Nothing /> }]),
          {
            key: 'state',
            header: say('State'),
            cell: (k) => <KeyState of={k} />,
          },
          {
            key: 'used',
            header: say('Last used'),
            cell: (k) => (k.lastUsedAt ? <Stamp at={k.lastUsedAt} /> : say('Never')),
          },
          { key: 'made', header: say('Issued'), cell: (k) => <Stamp at={k.createdAt} /> },
          { key: 'scopes', header: say('Scopes'), cell: (k) => scopesInWords(k.scopes), wideOnly: true },
          { key: 'from', header: say('From|network'), cell: (k) => k.lastUsedNetwork ?? <Nothing />, wideOnly: true },
        ]}
      />
    </Panel>
  );
}
