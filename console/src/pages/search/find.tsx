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
import { say } from '../../words/words.ts';

const kinds = [
  { value: 'customer', label: say("Customer's e-mail") },
  { value: 'msisdn', label: say('Telephone number') },
  { value: 'wallet', label: say('Wallet address') },
  { value: 'chainHash', label: say('Hash on the chain') },
  { value: 'ip', label: say('IP address of a wager') },
] as const;
type Kind = (typeof kinds)[number]['value'];

const hints: Readonly<Record<Kind, string>> = {
  customer: 'ada@example.com',
  msisdn: say('+234 803 000 0001, with its country code'),
  wallet: say('The address a withdrawal went to'),
  chainHash: '0x…',
  ip: '102.0.2.44',
};

const records = {
  transaction: [say('Transaction'), '/transactions/'],
  wager: [say('Wager'), '/gaming/wagers/'],
  payout: [say('Payout'), '/gaming/payouts/'],
  cdr: [say('Call record'), '/cdr/records/'],
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
        title={say('Find records')}
        lead={say('Every payment, wager, payout and call of one person, number, wallet, transfer or address.')}
      />
      <Panel title={say('Find')} flush>
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
              label={say('By')}
              data={kinds}
              value={by}
              allowDeselect={false}
              onChange={(v) => setBy((v ?? 'customer') as Kind)}
            />
            <TextInput
              label={say('Value')}
              placeholder={hints[by]}
              autoComplete="off"
              required
              maxLength={400}
              value={value}
              onChange={(e) => setValue(e.currentTarget.value)}
            />
            <ClientSelect value={clientId} onChange={setClientId} />
            <Group align="end">
              <Button type="submit">{say('Find')}</Button>
            </Group>
          </FilterBar>
        </Box>
        {asked === undefined ? (
          <Empty title={say('No search yet')}>
            {say(
              'The value is sent to the service only, which stores keyed hashes of it. Records of an erased person are still found, without their personal data.',
            )}
          </Empty>
        ) : (
          <DataTable
            label={say('Records found')}
            pages={pages}
            rowKey={(r) => r.id}
            rowTo={(r) => `${records[r.type][1]}${r.id}`}
            empty={<Empty title={say('No record names it')}>{say('It is found where it is written in full.')}</Empty>}
            columns={[
              { key: 'type', header: say('Record'), cell: (r) => records[r.type][0] },
              { key: 'client', header: say('Client'), cell: (r) => <ClientName id={r.clientId} /> },
              { key: 'at', header: say('Recorded'), cell: (r) => <Stamp at={r.createdAt} /> },
              { key: 'id', header: say('Id'), cell: (r) => <Id value={r.id} what={say('id')} />, wideOnly: true },
            ]}
          />
        )}
      </Panel>
    </>
  );
}
