// Rates: a country's taxes through time, what changes in all countries, the fee schedule, exchange rates, crypto assets, and changes that wait for a second person.

import { Tabs } from '@mantine/core';
import { PageHeader } from '../../components/page-header.tsx';
import { useFilters } from '../../data/path.ts';
import { usePsp } from '../../data/psp.tsx';
import { say } from '../../words/words.ts';
import { Assets } from './assets.tsx';
import { ExchangeRates } from './exchange-rates.tsx';
import { Fees } from './fees.tsx';
import { Proposals } from './proposals.tsx';
import { TaxChanges } from './tax-changes.tsx';
import { Taxes } from './taxes.tsx';

const tabs = ['taxes', 'changes', 'fees', 'exchange', 'assets', 'proposals'] as const;
/** Tabs that are the operator's own. */
const ofStaff: readonly string[] = ['fees', 'proposals'];

export default function Rates() {
  const { isOperator } = usePsp();
  const [filters, setFilters] = useFilters();
  const shown = tabs.find((t) => t === filters.tab && (isOperator || !ofStaff.includes(t))) ?? 'taxes';
  return (
    <>
      <PageHeader
        title={say('Rates')}
        lead={say(
          'Every decision rests on these rows. They are dated and sourced, and never edited: a new row supersedes.',
        )}
      />
      <Tabs
        value={shown}
        onChange={(tab) => setFilters({ tab: tab === 'taxes' ? undefined : (tab ?? undefined) })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="taxes">{say('Taxes')}</Tabs.Tab>
          <Tabs.Tab value="changes">{say('Changes')}</Tabs.Tab>
          {isOperator ? <Tabs.Tab value="fees">{say('Fees')}</Tabs.Tab> : null}
          <Tabs.Tab value="exchange">{say('Exchange rates')}</Tabs.Tab>
          <Tabs.Tab value="assets">{say('Crypto assets')}</Tabs.Tab>
          {isOperator ? <Tabs.Tab value="proposals">{say('Proposals')}</Tabs.Tab> : null}
        </Tabs.List>
        <Tabs.Panel value="taxes">
          <Taxes />
        </Tabs.Panel>
        <Tabs.Panel value="changes">
          <TaxChanges />
        </Tabs.Panel>
        <Tabs.Panel value="fees">
          <Fees />
        </Tabs.Panel>
        <Tabs.Panel value="exchange">
          <ExchangeRates />
        </Tabs.Panel>
        <Tabs.Panel value="assets">
          <Assets />
        </Tabs.Panel>
        <Tabs.Panel value="proposals">
          <Proposals />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
