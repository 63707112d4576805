// What needs attention: each kind of open problem, with a link to it.
import { Anchor, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Panel } from '../../components/panel.tsx';
import classes from './attention.module.css';
import type { OverviewData } from './series.ts';

type Waiting = OverviewData['attention'];

interface Row {
  readonly count: number;
  readonly one: string;
  readonly many: string;
  readonly to: string;
  readonly tone: 'bad' | 'wait' | 'note';
}

/** Sealing runs every second; a longer lag is worth a look. */
const lagS = 30;

function rowsOf(a: Waiting): Row[] {
  const rows: Row[] = [
    {
      count: a.backgroundProcesses === 0 ? 1 : 0,
      one: 'background process is missing: nothing is delivered, reported or totalled',
      many: '',
      to: '/webhooks',
      tone: 'bad',
    },
    {
      count: a.disabledWebhooks,
      one: 'webhook is disabled',
      many: 'webhooks are disabled',
      to: '/webhooks',
      tone: 'bad',
    },
    { count: a.failingWebhooks, one: 'webhook fails', many: 'webhooks fail', to: '/webhooks', tone: 'bad' },
    {
      count: a.exhaustedDeliveries,
      one: 'delivery failed',
      many: 'deliveries failed',
      to: '/webhooks',
      tone: 'bad',
    },
    { count: a.openReviews ?? 0, one: 'review is open', many: 'reviews are open', to: '/reviews', tone: 'wait' },
    {
      count: a.openProposals ?? 0,
      one: 'change of rates waits',
      many: 'changes of rates wait',
      to: '/rates',
      tone: 'wait',
    },
    {
      count: a.cdrLinesInSuspense,
      one: 'call record line in suspense',
      many: 'call record lines in suspense',
      to: '/cdr',
      tone: 'wait',
    },
    {
      count: a.cdrFilesInWork,
      one: 'call record file in work',
      many: 'call record files in work',
      to: '/cdr',
      tone: 'note',
    },
    {
      count: a.sealingLagS > lagS ? a.unsealedEntries : 0,
      one: `entry unsealed, for ${a.sealingLagS} s`,
      many: `entries unsealed, the oldest for ${a.sealingLagS} s`,
      to: '/audit',
      tone: 'bad',
    },
  ];
  return rows.filter((r) => r.count > 0);
}

export function Attention({ attention }: { readonly attention: Waiting }) {
  const rows = rowsOf(attention);
  return (
    <Panel title="Needs attention">
      {rows.length === 0 ? (
        <div className={classes.calm}>
          <IconCircleCheck size={28} stroke={1.4} aria-hidden />
          <div>
            <Text fw={600}>Nothing waits</Text>
            <Text size="sm" c="dimmed">
              No open review, no failing webhook, no line in suspense; the journal is sealed.
            </Text>
          </div>
        </div>
      ) : (
        <ul className={classes.list}>
          {rows.map((r) => (
            <li key={r.many} data-tone={r.tone}>
              <span className={classes.count}>{r.count.toLocaleString('en')}</span>
              <Anchor component={Link} to={r.to} size="sm">
                {r.count === 1 ? r.one : r.many}
              </Anchor>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
