// The tax profiles of a client: where and since when it owes tax on its sales, and the form that sets one.

import { Group, Text } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { Panel } from '../../components/panel.tsx';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { countryName } from '../../data/countries.ts';
import { dayBefore } from '../../data/days.ts';
import { dayInWords } from '../../data/moments.ts';
import { useMay } from '../../data/session.tsx';
import { numberKindWords, numberWords, schemeOf, supplyWords } from '../../data/tax-words.ts';
import { say } from '../../words/words.ts';
import { SetTaxProfile } from './set-tax-profile.tsx';

type Client = Content<'getClient'>;
export type TaxProfile = NonNullable<Client['taxProfiles']>[number];

const keyOf = (p: TaxProfile) => `${p.country} ${p.validFrom}`;

export function ClientTax({ client }: { readonly client: Client }) {
  const may = useMay('setTaxProfile') && client.operationalStanding !== 'CLOSED';
  const profiles = client.taxProfiles ?? [];
  /** A profile ends the day before the next one of its country; they are sorted by country and day. */
  const endOf = (p: TaxProfile) =>
    profiles.find((q) => q.country === p.country && q.validFrom > p.validFrom)?.validFrom;
  return (
    <Panel title={say('Tax')} actions={may ? <SetTaxProfile client={client} /> : null} flush>
      <DataTable<TaxProfile>
        label={say('Tax profiles')}
        pages={{ rows: profiles }}
        rowKey={keyOf}
        empty={
          <Empty title={say('No tax profile: counts as registered for VAT in every country')}>
            {say('Its sales bear the tax of the country they are made in.')}
          </Empty>
        }
        columns={[
          { key: 'country', header: say('Country'), cell: (p) => countryName(p.country) },
          { key: 'part', header: say('Part of it'), cell: (p) => p.subdivision ?? <Nothing /> },
          { key: 'from', header: say('From'), cell: (p) => dayInWords(p.validFrom) },
          {
            key: 'until',
            header: say('Until'),
            cell: (p) => {
              const end = endOf(p);
              return end ? dayInWords(dayBefore(end)) : <Nothing />;
            },
          },
          {
            key: 'registered',
            header: say('Registered|tax'),
            cell: (p) => (p.registered ? say('Yes') : say('No, charges no tax')),
          },
          { key: 'scheme', header: say('Scheme'), cell: (p) => schemeOf(p) ?? <Nothing /> },
          { key: 'number', header: say('Tax number'), cell: (p) => <TaxNumber of={p} /> },
          { key: 'sells', header: say('Sells'), cell: (p) => (p.supply ? supplyWords[p.supply] : <Nothing />) },
          ...(may
            ? [
                {
                  key: 'act',
                  header: '',
                  align: 'right' as const,
                  cell: (p: TaxProfile) => <SetTaxProfile client={client} profile={p} />,
                },
              ]
            : []),
        ]}
      />
      {profiles.length > 0 ? (
        <Text size="sm" c="dimmed" px="md" py="sm">
          {say(
            'In other countries, and before the first day, it counts as registered. Recorded transactions do not change.',
          )}
        </Text>
      ) : null}
    </Panel>
  );
}

const toneOf = ({ taxNumberValid: valid }: TaxProfile): Tone => (valid === null ? 'quiet' : valid ? 'good' : 'bad');

function TaxNumber({ of: p }: { readonly of: TaxProfile }) {
  const words = numberWords(p);
  if (words === null) return <Nothing />;
  return (
    <Group gap={6}>
      {p.taxNumberKind ? `${numberKindWords[p.taxNumberKind]} ` : ''}
      {p.taxNumber} <StatusBadge status="TAX_NUMBER" label={words} tone={toneOf(p)} />
    </Group>
  );
}
