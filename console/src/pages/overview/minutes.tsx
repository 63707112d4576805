// The last quarter of an hour, minute by minute.

import { Text } from '@mantine/core';
import { Bars } from '../../components/bars.tsx';
import { Panel } from '../../components/panel.tsx';
import { dateLocale, locale } from '../../words/language.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import type { OverviewData } from './series.ts';

type Recent = OverviewData['recent'];

const minuteMs = 60_000;
const clock = new Intl.DateTimeFormat(dateLocale, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

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
      title={say('Last 15 minutes (UTC)')}
      actions={
        <Text size="sm" c="dimmed">
          {rich('{approved} approved · {declined} declined · {pending} pending', {
            approved: recent.approved,
            declined: recent.declined,
            pending: recent.pending,
          })}
        </Text>
      }
    >
      <Bars
        label={say('Approvals and declines by minute')}
        rows={rowsOf(recent)}
        series={[
          { name: 'approved', label: say('Approved'), color: 'verdigris.6' },
          { name: 'declined', label: say('Declined'), color: 'brick.5' },
        ]}
        format={(v) => Number(v).toLocaleString(locale)}
        stacked
        height={190}
      />
    </Panel>
  );
}
