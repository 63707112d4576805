// One rule of the risk book: what it says, its source, its versions, and the proposal of the next one.

import { Anchor, Button, Code, Group, Stack, Table, Text } from '@mantine/core';
import { DataTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { dayBefore } from '../../data/days.ts';
import { dayInWords } from '../../data/moments.ts';
import { useFilters, usePath } from '../../data/path.ts';
import { usePsp } from '../../data/psp.tsx';
import { useMay } from '../../data/session.tsx';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { named, say } from '../../words/words.ts';
import { counterText, documentOf, type RiskRule, type RuleDocument, scopeText } from './document.ts';
import { RiskProposals } from './proposals.tsx';
import { ProposeVersion } from './propose-version.tsx';
import { Action } from './rules.tsx';

const above = [{ title: say('Risk rules'), to: '/risk' }];

export default function RulePage() {
  const id = usePath('rule');
  const { data, error, refetch } = useOp('listRiskRules', { id });
  const rule = data?.items[0];
  if (!data || !rule) return <Unfetched title={say('Risk rule')} above={above} error={error} refetch={refetch} />;
  return <Shown rule={rule} versions={data.items} />;
}

function Shown({ rule: r, versions }: { readonly rule: RiskRule; readonly versions: readonly RiskRule[] }) {
  const [filters, setFilters] = useFilters();
  const { isOperator } = usePsp();
  const may = useMay('openProposal') && isOperator;
  const d = documentOf(r.rule);
  const action = filters.propose === 'review' ? 'review' : d.action;
  if (may && filters.propose)
    return <ProposeVersion of={d} action={action} onDone={() => setFilters({ propose: undefined })} />;
  return (
    <>
      <PageHeader
        title={r.id}
        above={above}
        beside={
          <Group gap={6}>
            <StatusBadge status={r.severity} />
            <Action of={r} />
          </Group>
        }
        lead={named(r.reason)}
        actions={
          may ? (
            <Group gap="xs">
              {r.action === 'observe' ? (
                <Button onClick={() => setFilters({ propose: 'review' })}>
                  {say('Propose that it opens reviews')}
                </Button>
              ) : null}
              <Button
                variant={r.action === 'observe' ? 'default' : 'filled'}
                onClick={() => setFilters({ propose: 'next' })}
              >
                {say('Propose the next version')}
              </Button>
            </Group>
          ) : null
        }
      />
      <Stack>
        {isOperator ? <RiskProposals rule={r.id} /> : null}
        <Panel title={say('Version {version}', { version: r.version })}>
          <Facts
            columns={2}
            items={[
              [say('Looks at'), scopeText(d)],
              [say('In force'), daysOf(d)],
              [say('Public code'), d.code],
              [say('Matches in 30 days'), r.matches],
              [
                say('Source'),
                <span key="source">
                  {d.source.url ? (
                    <Anchor href={d.source.url} rel="noreferrer" target="_blank" inherit>
                      {d.source.title}
                    </Anchor>
                  ) : (
                    d.source.title
                  )}
                  {d.source.place ? `, ${d.source.place}` : ''} ({dayInWords(d.source.date)})
                </span>,
              ],
              [say('Put in force'), <Stamp key="at" at={r.recordedAt} />],
              d.observations !== undefined && [say('With an observation'), d.observations.map(inWords).join(', ')],
            ]}
          />
          <Condition of={d} />
        </Panel>
        <Figures of={d} />
        <Panel title={say('Versions')} flush>
          <DataTable
            label={say('Versions')}
            pages={{ rows: versions }}
            rowKey={(v) => String(v.version)}
            columns={[
              { key: 'version', header: say('Version'), cell: (v) => say('Version {version}', { version: v.version }) },
              { key: 'action', header: say('A match'), cell: (v) => <Action of={v} /> },
              { key: 'from', header: say('Put in force'), cell: (v) => <Stamp at={v.recordedAt} /> },
              { key: 'to', header: say('Replaced'), cell: (v) => <Stamp at={v.supersededAt} /> },
              {
                key: 'by',
                header: say('By'),
                cell: (v) => (v.origin === 'shipped' ? say('The service') : say('Two people')),
              },
              { key: 'matches', header: say('Matches, 30 days'), align: 'right', cell: (v) => v.matches },
            ]}
          />
        </Panel>
      </Stack>
    </>
  );
}

const daysOf = (d: RuleDocument): string =>
  `${dayInWords(d.from)}${d.until === null ? ` ${say('on')}` : ` ${say('to {until}', { until: dayInWords(dayBefore(d.until)) })}`}`;

function Condition({ of: d }: { readonly of: RuleDocument }) {
  return (
    <Stack gap={4} mt="md">
      <Text size="sm" fw={600}>
        {say('Condition')}
      </Text>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {d.condition}
      </Code>
    </Stack>
  );
}

/** The limits and counters that the condition reads. */
function Figures({ of: d }: { readonly of: RuleDocument }) {
  const [limits, counters] = [Object.entries(d.limits ?? {}), Object.entries(d.counters ?? {})];
  if (limits.length + counters.length === 0) return null;
  return (
    <Panel title={say('What the condition reads')}>
      <Stack>
        {counters.length > 0 ? (
          <Facts items={counters.map(([name, c]) => [`counters.${name}`, counterText(c)])} />
        ) : null}
        {limits.length > 0 ? (
          <Table.ScrollContainer
            minWidth={240}
            mah={360}
            scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': say('Limits') } }}
          >
            <Table aria-label={say('Limits')} verticalSpacing={4}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{say('Limit for')}</Table.Th>
                  <Table.Th ta="right">{say('Amount')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {limits.map(([of, amount]) => (
                  <Table.Tr key={of}>
                    <Table.Td>{of}</Table.Td>
                    <Table.Td ta="right">{amount}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        ) : null}
      </Stack>
    </Panel>
  );
}
