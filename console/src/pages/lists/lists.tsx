// Lists that names, wallets and other values are screened against: those in force, a search over all, and matches.

import { Tabs } from '@mantine/core';
import { PageHeader } from '../../components/page-header.tsx';
import { among, useFilters } from '../../data/path.ts';
import { say } from '../../words/words.ts';
import { InForce } from './in-force.tsx';
import { Matches } from './matches.tsx';
import { SearchLists } from './search.tsx';

const tabs = ['lists', 'search', 'matches'] as const;

export default function Lists() {
  const [filters, setFilters] = useFilters();
  const shown = among(tabs, filters.tab) ?? 'lists';
  return (
    <>
      <PageHeader
        title={say('Lists')}
        lead={say(
          'Clients, customers and wallets are screened against these lists. A match opens an alert; clients learn nothing of it.',
        )}
      />
      <Tabs
        value={shown}
        onChange={(tab) => setFilters({ tab: tab === 'lists' ? undefined : (tab ?? undefined) })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="lists">{say('Lists')}</Tabs.Tab>
          <Tabs.Tab value="search">{say('Search')}</Tabs.Tab>
          <Tabs.Tab value="matches">{say('Matches')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="lists">
          <InForce />
        </Tabs.Panel>
        <Tabs.Panel value="search">
          <SearchLists />
        </Tabs.Panel>
        <Tabs.Panel value="matches">
          <Matches />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
