// All records of a customer, telephone number, wallet, transfer or IP address. The search term is personal data, so it
// is kept out of the URL, the browser's history and proxy logs.
import type { Input } from '@assay/client';
import { Box, Button, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ClientName } from '../../components/client-name.tsx';
import { ClientSelect } from '../../components/client-select.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Id } from '../../components/id.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { usePages } from '../../data/use-op.ts';

const kinds = [
  { value: 'customer', label: "Customer's e-mail" },
  { value: 'msisdn', label: 'Telephone number' },
  { value: 'wallet', label: 'Wallet address' },
  { value: 'chainHash', label: 'Hash on the chain' },
  { value: 'ip', label: 'IP address of a wager' },
] as const;
type Kind = (typeof kinds)[number]['value'];

const hints: Readonly<Record<Kind, string>> = {
  customer: 'ada@example.com',
  msisdn: '+234 803 000 0001, with its country code',
  wallet: 'The address a withdrawal went to',
  chainHash: '0x…',
  ip: '102.0.2.44',
};

const records = {
  transaction: ['Transaction', '/transactions/'],
  wager: ['Wager', '/gaming/wagers/'],
  payout: ['Payout', '/gaming/payouts/'],
  cdr: ['Call record', '/cdr/records/'],
} as const;

export default function Find() {
  const [by, setBy] = useState<Kind>('customer');
  const [value, setValue] = useState('');
  const [clientId, setClientId] = useState<string>();
  const [asked, setAsked] = useState<Input<'findRecords'>>();
  const pages = usePages('findRecords', asked ?? { by, value }, { enabled: asked !== undefined });
  return (
    <>
      <PageHeader
        title="Find records"
        lead="Every payment, wager, payout and call of one person, number, wallet, transfer or address."
      />
      <Panel title="Find" flush>
        <Box
          component="form"
          px="md"
          onSubmit={(e) => {
            e.preventDefault();
            if (value.trim()) setAsked({ by, value: value.trim(), ...(clientId ? { clientId } : {}) });
          }}
        >
          <FilterBar>
            <Select
              label="By"
              data={kinds}
              value={by}
              allowDeselect={false}
              onChange={(v) => setBy((v ?? 'customer') as Kind)}
            />
            <TextInput
              label="Value"
              placeholder={hints[by]}
              autoComplete="off"
              required
              maxLength={400}
              value={value}
              onChange={(e) => setValue(e.currentTarget.value)}
            />
            <ClientSelect value={clientId} onChange={setClientId} />
            <Group align="end">
              <Button type="submit">Find</Button>
            </Group>
          </FilterBar>
        </Box>
        {asked === undefined ? (
          <Empty title="No search yet">
            The value is sent to the service only, which stores keyed hashes of it. Records of an erased person are
            still found, without their personal data.
          </Empty>
        ) : (
          <DataTable
            label="Records found"
            pages={pages}
            rowKey={(r) => r.id}
            rowTo={(r) => `${records[r.type][1]}${r.id}`}
            empty={<Empty title="No record names it">It is found where it is written in full.</Empty>}
            columns={[
              { key: 'type', header: 'Record', cell: (r) => records[r.type][0] },
              { key: 'client', header: 'Client', cell: (r) => <ClientName id={r.clientId} /> },
              { key: 'at', header: 'Recorded', cell: (r) => <Stamp at={r.createdAt} /> },
              { key: 'id', header: 'Id', cell: (r) => <Id value={r.id} what="id" />, wideOnly: true },
            ]}
          />
        )}
      </Panel>
    </>
  );
}
