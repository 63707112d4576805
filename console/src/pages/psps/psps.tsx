// All PSPs, for staff: list, create, suspend, reactivate, close, and the way to the keys and records of each.

import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { AnyOf } from '../../components/any-of.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Id } from '../../components/id.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { countryName } from '../../data/countries.ts';
import { among, useFilters } from '../../data/path.ts';
import { pageOf } from '../../data/psp-address.ts';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { CreatePsp } from './create-psp.tsx';

type Psp = Content<'listAccounts'>['items'][number];

const modes = ['live', 'test'] as const;
const standings = ['ACTIVE', 'SUSPENDED', 'CLOSED'] as const;

export default function Psps() {
  const [filters] = useFilters();
  const may = useMay('createPsp');
  const mode = among(modes, filters.mode);
  const standing = among(standings, filters.standing);
  const asked = { kind: 'psp', mode, operationalStanding: standing } as const;
  const pages = usePages('listAccounts', asked, { asOperator: true });
  return (
    <>
      <PageHeader
        title={say('PSPs')}
        lead={say(
          'Payment service providers of this installation. A test tenant is created beside one with its first test key; nothing in it is real.',
        )}
        actions={may ? <CreatePsp /> : null}
      />
      <FilterBar>
        <AnyOf
          of="mode"
          label={say('Mode')}
          any={say('Live and test')}
          data={modes.map((m) => ({ value: m, label: inWords(m) }))}
        />
        <AnyOf
          of="standing"
          label={say('Standing')}
          clear={say('Any standing')}
          data={standings.map((s) => ({ value: s, label: inWords(s) }))}
        />
      </FilterBar>
      <Panel title={say('All PSPs')} flush>
        <DataTable
          label={say('PSPs')}
          pages={pages}
          rowKey={(p) => p.clientId}
          empty={
            <Empty title={say('No PSP')}>{say('Create the first one: it gets a key and a signing secret.')}</Empty>
          }
          columns={[
            { key: 'name', header: say('Name'), cell: (p) => <Name psp={p} /> },
            { key: 'id', header: 'PSP', cell: (p) => <Id value={p.clientId} what={say('PSP id')} />, wideOnly: true },
            { key: 'country', header: say('Country'), cell: (p) => p.countryCode && countryName(p.countryCode) },
            { key: 'standing', header: say('Standing'), cell: (p) => <StatusBadge status={p.operationalStanding} /> },
            { key: 'at', header: say('Created'), cell: (p) => <Stamp at={p.createdAt} /> },
            {
              key: 'see',
              header: say('Open|verb'),
              cell: (p) => (
                <Group gap="sm" wrap="nowrap">
                  {[
                    [say('API keys'), '/keys'],
                    [say('Clients'), '/clients'],
                    [say('Transactions'), '/transactions'],
                  ].map(([label, to]) => (
                    <Anchor
                      key={to}
                      component={Link}
                      to={pageOf(p.clientId, to as string)}
                      size="sm"
                      aria-label={say('{label} of {registeredName}', { label, registeredName: p.registeredName })}
                    >
                      {label}
                    </Anchor>
                  ))}
                </Group>
              ),
            },
            { key: 'acts', header: say('Actions'), cell: (p) => (may && !p.test ? <Acts psp={p} /> : null) },
          ]}
        />
      </Panel>
    </>
  );
}

function Name({ psp }: { readonly psp: Psp }) {
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="sm" fw={600}>
        {psp.registeredName}
      </Text>
      {psp.test ? <StatusBadge status="TEST" tone="note" label={say('Test')} /> : null}
    </Group>
  );
}

function Acts({ psp }: { readonly psp: Psp }) {
  const set = useDo('setStanding', { asOperator: true, done: say('The standing is changed') });
  if (psp.operationalStanding === 'CLOSED') return null;
  const change = (operationalStanding: (typeof standings)[number]) => (reason: string) =>
    set.mutateAsync({ accountId: psp.clientId, operationalStanding, reason });
  return (
    <Group gap="xs" wrap="nowrap">
      {psp.operationalStanding === 'ACTIVE' ? (
        <ConfirmButton
          label={say('Suspend')}
          size="xs"
          question={say('Suspend {registeredName}?', { registeredName: psp.registeredName })}
          reason="required"
          danger
          onConfirm={change('SUSPENDED')}
        >
          {say('From the moment it is confirmed, every transaction of all its clients is declined.')}
        </ConfirmButton>
      ) : (
        <ConfirmButton
          label={say('Reactivate')}
          size="xs"
          question={say('Reactivate {registeredName}?', { registeredName: psp.registeredName })}
          reason="required"
          onConfirm={change('ACTIVE')}
        >
          {say('Transactions of its clients are approved again, unless a hold blocks them.')}
        </ConfirmButton>
      )}
      <ConfirmButton
        label={say('Close')}
        size="xs"
        question={say('Close {registeredName} for good?', { registeredName: psp.registeredName })}
        reason="required"
        danger
        onConfirm={change('CLOSED')}
      >
        {say('A closed PSP cannot be opened again. It and its clients may still read what was recorded.')}
      </ConfirmButton>
    </Group>
  );
}
