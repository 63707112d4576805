// Clients of one PSP or all: searched by name or registration number, with the standing that decides their
// transactions.

import { Button, Select } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo } from 'react';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Id } from '../../components/id.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords } from '../../components/status-badge.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import type { Content } from '../../data/assay.ts';
import { countryChoices, countryName } from '../../data/countries.ts';
import { useFilters } from '../../data/path.ts';
import { usePsp } from '../../data/psp.tsx';
import { pageOf } from '../../data/psp-address.ts';
import { usePsps } from '../../data/psps.ts';
import { useMay } from '../../data/session.tsx';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { RegisterClient } from './register-client.tsx';
import { StandingBadge } from './standing-badge.tsx';

interface Asked {
  readonly operationalStanding?: 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
  readonly onHold?: 'true' | 'false';
  readonly restricted?: 'true';
}

/** The filter as written in the URL, and the query it makes. */
const standings: Readonly<Record<string, { label: string; asked: Asked }>> = {
  ACTIVE: { label: say('Active'), asked: { operationalStanding: 'ACTIVE', onHold: 'false' } },
  RESTRICTED: { label: say('On hold or suspended'), asked: { restricted: 'true' } },
  ON_HOLD: { label: say('On hold'), asked: { onHold: 'true' } },
  SUSPENDED: { label: say('Suspended'), asked: { operationalStanding: 'SUSPENDED' } },
  CLOSED: { label: say('Closed'), asked: { operationalStanding: 'CLOSED' } },
};

type Listed = Content<'listClients'>['items'][number] & { readonly pspId?: string };

export default function Clients() {
  const [filters, setFilters] = useFilters();
  const countries = useMemo(countryChoices, []);
  const { ready, isOperator, choose } = usePsp();
  const { data: psps } = usePsps();
  const standing = filters.standing && filters.standing in standings ? filters.standing : undefined;
  const asked = { q: filters.q, countryCode: filters.countryCode, ...(standing ? standings[standing]?.asked : {}) };
  const own = usePages('listClients', asked, { enabled: ready });
  const all = usePages('listAccounts', { kind: 'client', ...asked }, { enabled: !ready, asOperator: true });
  const may = useMay('registerClient') && ready;
  const nameOf = (pspId: string | undefined) => psps?.find((p) => p.pspId === pspId)?.name;
  return (
    <>
      <PageHeader
        title={say('Clients')}
        lead={say(
          'Merchants, operators and exchanges registered by the PSP. Their standing decides every transaction.',
        )}
        actions={may ? <RegisterClient /> : null}
      />
      <FilterBar>
        <TextFilter
          of="q"
          label={say('Name or registration number')}
          leftSection={<IconSearch size={16} aria-hidden />}
        />
        <Select
          label={say('Standing')}
          data={Object.entries(standings).map(([value, { label }]) => ({ value, label }))}
          value={standing ?? null}
          onChange={(v) => setFilters({ standing: v ?? undefined })}
          clearable
          clearButtonProps={{ 'aria-label': say('Any standing') }}
          placeholder={say('Any')}
        />
        <Select
          label={say('Country')}
          placeholder={say('Any')}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': say('Any country') }}
          data={countries}
          value={filters.countryCode ?? null}
          onChange={(v) => setFilters({ countryCode: v ?? undefined })}
          nothingFoundMessage={say('No such country')}
        />
      </FilterBar>
      <Panel title={ready ? say('Registered clients') : say('Registered clients of all PSPs')} flush>
        <DataTable<Listed>
          label={say('Clients')}
          pages={ready ? own : all}
          rowKey={(c) => c.clientId}
          rowTo={(c) => (c.pspId ? pageOf(c.pspId, `/clients/${c.clientId}`) : `/clients/${c.clientId}`)}
          empty={
            filters.q || standing || filters.countryCode ? (
              <Empty
                title={say('No client matches')}
                action={
                  isOperator && ready ? (
                    <Button variant="default" onClick={() => choose(undefined)}>
                      {say('Look in all PSPs')}
                    </Button>
                  ) : null
                }
              >
                {say('Try less of the name, or any standing and country.')}
              </Empty>
            ) : (
              <Empty title={say('No clients yet')}>
                {may
                  ? say('Register one here, or by the API with registerClient.')
                  : ready
                    ? say('An administrator registers one here, or a program by the API with registerClient.')
                    : say(
                        'Choose a PSP at the top to register one of its clients, or use the API with registerClient.',
                      )}
              </Empty>
            )
          }
          columns={[
            { key: 'name', header: say('Name'), cell: (c) => c.registeredName },
            { key: 'standing', header: say('Standing'), cell: (c) => <StandingBadge client={c} /> },
            ...(ready
              ? []
              : [{ key: 'psp', header: 'PSP', cell: (c: Listed) => nameOf(c.pspId) ?? <Id value={c.pspId} /> }]),
            { key: 'level', header: say('Level'), cell: (c) => inWords(c.verificationLevel) },
            { key: 'class', header: say('Classification'), cell: (c) => c.classification && inWords(c.classification) },
            { key: 'country', header: say('Country'), cell: (c) => c.countryCode && countryName(c.countryCode) },
            {
              key: 'id',
              header: say('Client'),
              cell: (c) => <Id value={c.clientId} what={say('client id')} />,
              wideOnly: true,
            },
            { key: 'since', header: say('Registered'), cell: (c) => <Stamp at={c.createdAt} />, wideOnly: true },
          ]}
        />
      </Panel>
    </>
  );
}
