// The deliveries to an address, newest first, filtered by state, event type and day.

import { Box, SimpleGrid } from '@mantine/core';
import { AnyOf } from '../../components/any-of.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DayFilters } from '../../components/day-filters.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterMarks } from '../../components/filter-marks.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { wholeDays } from '../../data/days.ts';
import { among, useFilters } from '../../data/path.ts';
import { usePages } from '../../data/use-op.ts';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
import {
  DeliveryBadge,
  type DeliveryState,
  deliveryInWords,
  deliveryStates,
  NextAttempt,
  reasonInWords,
  typesFor,
  type Webhook,
} from './shown.tsx';

export function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const { webhookId } = webhook;
  const allTypes = [...typesFor(webhook), 'webhook.test'] as const;
  const [filters, setFilters] = useFilters();
  const { since, until } = filters;
  const days = wholeDays({ from: since, to: until, zone: filters.zone });
  const state = among<DeliveryState>(deliveryStates, filters.state);
  const type = among(allTypes, filters.type);
  const pages = usePages(
    'listDeliveries',
    {
      webhookId,
      state,
      type,
      since: days.from,
      until: days.to,
    },
    { every: 5_000 },
  );
  return (
    <Panel title={say('Deliveries')} flush>
      <Box component="search" px="md" pb="sm">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
          <AnyOf
            of="state"
            label={say('State')}
            clear={say('Any state')}
            data={deliveryStates.map((s) => ({ value: s, label: deliveryInWords(s) }))}
          />
          <AnyOf of="type" label={say('Event type')} clear={say('Any event type')} data={allTypes} />
          <DayFilters filters={filters} set={setFilters} names={{ from: 'since', to: 'until' }} />
        </SimpleGrid>
        <FilterMarks of={{ since: say('Recorded from'), until: say('Recorded before') }} mt="sm" />
      </Box>
      <DataTable
        label={say('Deliveries')}
        pages={pages}
        rowKey={(d) => d.deliveryId}
        rowTo={(d) => `/webhooks/${webhookId}/deliveries/${d.deliveryId}`}
        empty={
          <Empty title={say('No delivery')}>
            {state || type || since || until
              ? say('None is as these filters ask.')
              : say('They appear with the first event, or with a test.')}
          </Empty>
        }
        columns={[
          { key: 'type', header: say('Event'), cell: (d) => d.type },
          { key: 'state', header: say('State'), cell: (d) => <DeliveryBadge state={d.state} /> },
          {
            key: 'attempts',
            header: say('Attempts'),
            align: 'right',
            cell: (d) => d.attemptCount.toLocaleString(locale),
          },
          {
            key: 'last',
            header: say('Last answer'),
            cell: (d) =>
              d.lastReason ? `${d.lastStatus ? `${d.lastStatus} · ` : ''}${reasonInWords(d.lastReason)}` : <Nothing />,
          },
          { key: 'at', header: say('Created'), cell: (d) => <Stamp at={d.createdAt} /> },
          {
            key: 'next',
            header: say('Next attempt'),
            cell: (d) => <NextAttempt at={d.nextAttemptAt} show="relative" />,
          },
        ]}
      />
    </Panel>
  );
}
