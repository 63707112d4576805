// The last quarter of an hour, minute by minute.
import { Text } from '@mantine/core';
import { Bars } from '../../components/bars.tsx';
import { Panel } from '../../components/panel.tsx';
import type { OverviewData } from './series.ts';

type Recent = OverviewData['recent'];

const minuteMs = 60_000;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

function rowsOf(recent: Recent) {
  const counted = new Map(recent.minutes.map((m) => [Math.floor(Date.parse(m.at) / minuteMs), m]));
  const last = Math.floor(Date.parse(recent.to) / minuteMs);
  return Array.from({ length: 15 }, (_, i) => last - 14 + i).map((minute) => ({
    at: clock.format(minute * minuteMs),
    values: { approved: counted.get(minute)?.approved ?? 0, declined: counted.get(minute)?.declined ?? 0 },
  }));
}

export function Minutes({ recent }: { readonly recent: Recent }) {
  return (
    <Panel
      title="Last 15 minutes (UTC)"
      actions={
        <Text size="sm" c="dimmed">
          {recent.approved} approved · {recent.declined} declined · {recent.pending} pending
        </Text>
      }
    >
      <Bars
        label="Approvals and declines by minute"
        rows={rowsOf(recent)}
        series={[
          { name: 'approved', label: 'Approved', color: 'verdigris.6' },
          { name: 'declined', label: 'Declined', color: 'brick.5' },
        ]}
        format={(v) => Number(v).toLocaleString('en')}
        stacked
        height={190}
      />
    </Panel>
  );
}
