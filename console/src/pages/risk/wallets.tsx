// Wallets on hold: the list, and placing a hold by an address.

import { Select } from '@mantine/core';
import { ClientSelect } from '../../components/client-select.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { useFilters } from '../../data/path.ts';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { useHoldColumns } from './held-wallets.tsx';
import { HoldWallet } from './hold-wallet.tsx';

const above = [{ title: say('Risk rules'), to: '/risk' }];

export default function Wallets() {
  const [{ inForce, clientId }, setFilters] = useFilters();
  const pages = usePages('listWalletHolds', { clientId, inForce: inForce ? 'true' : undefined });
  const { wallet, others } = useHoldColumns();
  return (
    <>
      <PageHeader
        title={say('Wallets on hold')}
        above={above}
        lead={say(
          'Crypto payments to and from these wallets are declined, for every client. Clients read that the risk policy does not allow it, and nothing of the hold.',
        )}
        actions={<HoldWallet />}
      />
      <FilterBar>
        <Select
          label={say('State')}
          placeholder={say('Any')}
          clearable
          data={[{ value: 'true', label: say('In force') }]}
          value={inForce ?? null}
          onChange={(v) => setFilters({ inForce: v ?? undefined })}
        />
        <ClientSelect value={clientId} onChange={(v) => setFilters({ clientId: v })} />
      </FilterBar>
      <Panel title={say('Holds')} flush>
        <DataTable
          label={say('Wallets on hold')}
          pages={pages}
          rowKey={(h) => h.holdId}
          empty={
            <Empty title={say('No wallet is on hold')}>
              {say('A rule, a case or a person puts one on hold. To find the records of an address, search for it.')}
            </Empty>
          }
          columns={[wallet, ...others]}
        />
      </Panel>
    </>
  );
}
