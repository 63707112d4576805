// Writes the next version of a rule: checked by the service while it is typed, then proposed for another person to decide.

import { Alert, Button, Group, List, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type FormEvent, useMemo, useState } from 'react';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { inWords } from '../../components/status-badge.tsx';
import { usePropose } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { plural, say } from '../../words/words.ts';
import { actions, type RuleDocument } from './document.ts';

interface Props {
  readonly of: RuleDocument;
  /** What a match of the next version does, to begin with. */
  readonly action: string;
  readonly onDone: () => void;
}

const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } };
const severities = ['LOW', 'MEDIUM', 'HIGH'].map((value) => ({
  value,
  label: inWords(value),
}));

export function ProposeVersion({ of: d, action, onDone }: Props) {
  const { id, version, from, until, condition, severity, reason, action: _, ...others } = d;
  const [typed, setTyped] = useState({ from, until: until ?? '', condition, severity, reason, action });
  const [rest, setRest] = useState(() => JSON.stringify(others, null, 2));
  const [why, setWhy] = useState('');
  const propose = usePropose();
  const { rule, wrong } = useMemo(() => {
    try {
      const fields = { ...typed, until: typed.until === '' ? null : typed.until };
      return { rule: { id, version: version + 1, ...fields, ...(JSON.parse(rest) as object) }, wrong: undefined };
    } catch (error) {
      return { rule: undefined, wrong: String((error as Error).message) };
    }
  }, [typed, rest, id, version]);
  const [asked] = useDebouncedValue(rule, 400);
  const check = useOp('checkRiskRule', { rule: asked ?? {} }, { asOperator: true, enabled: asked !== undefined });
  const problems = check.data?.problems;
  const checked = asked === rule && problems !== undefined;
  const set = (change: Partial<typeof typed>) => setTyped({ ...typed, ...change });
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (rule && (await propose.mutateAsync({ risk: rule, reason: why.trim() }).catch(() => undefined))) onDone();
  }
  return (
    <>
      <PageHeader
        title={say('Propose version {version}', { version: version + 1 })}
        above={[
          { title: say('Risk rules'), to: '/risk' },
          { title: id, to: `/risk/${id}` },
        ]}
        lead={say('It is tried beside the version in force, without effect, until another person decides.')}
      />
      <form onSubmit={submit}>
        <Stack>
          <Panel title={say('The rule')}>
            <Stack>
              <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
                <Select
                  label={say('What a match does')}
                  allowDeselect={false}
                  data={Object.entries(actions).map(([value, label]) => ({ value, label }))}
                  value={typed.action}
                  onChange={(v) => set({ action: v ?? typed.action })}
                />
                <Select
                  label={say('Severity')}
                  allowDeselect={false}
                  data={severities}
                  value={typed.severity}
                  onChange={(v) => set({ severity: v ?? typed.severity })}
                />
                <TextInput
                  label={say('From')}
                  type="date"
                  value={typed.from}
                  onChange={(e) => set({ from: e.currentTarget.value })}
                />
                <TextInput
                  label={say('Until')}
                  type="date"
                  description={say('The first day without it')}
                  inputWrapperOrder={['label', 'input', 'description', 'error']}
                  value={typed.until}
                  onChange={(e) => set({ until: e.currentTarget.value })}
                />
              </SimpleGrid>
              <Textarea
                label={say('Condition')}
                autosize
                minRows={3}
                maxLength={1000}
                spellCheck={false}
                styles={mono}
                value={typed.condition}
                onChange={(e) => set({ condition: e.currentTarget.value })}
              />
              <Textarea
                label={say('Reason for reviewers')}
                description={say('Never shown to a client')}
                autosize
                minRows={2}
                maxLength={400}
                value={typed.reason}
                onChange={(e) => set({ reason: e.currentTarget.value })}
              />
              <Textarea
                label={say('Scope, limits, counters and source')}
                description={say('As JSON')}
                autosize
                minRows={6}
                maxRows={24}
                spellCheck={false}
                styles={mono}
                value={rest}
                onChange={(e) => setRest(e.currentTarget.value)}
                error={wrong}
              />
            </Stack>
          </Panel>
          <Panel title={say('Check')}>
            {check.error ? <Problem error={check.error} retry={() => void check.refetch()} /> : null}
            {wrong === undefined && !check.error ? (
              <Problems of={checked ? problems : undefined} condition={typed.condition} />
            ) : null}
            {wrong === undefined ? null : <Text size="sm">{say('It is checked once its JSON can be read.')}</Text>}
          </Panel>
          <Panel title={say('Propose')}>
            <Stack gap="sm">
              <Textarea
                label={say('Why')}
                description={say('Kept in the journal with your name.')}
                required
                maxLength={500}
                autosize
                minRows={2}
                value={why}
                onChange={(e) => setWhy(e.currentTarget.value)}
              />
              <Group>
                <Button variant="default" onClick={onDone}>
                  {say('Cancel')}
                </Button>
                <Button
                  type="submit"
                  loading={propose.isPending}
                  disabled={!checked || problems.length > 0 || why.trim() === ''}
                >
                  {say('Propose')}
                </Button>
              </Group>
            </Stack>
          </Panel>
        </Stack>
      </form>
    </>
  );
}

interface ProblemsProps {
  /** Undefined while it is checked. */
  readonly of: readonly string[] | undefined;
  readonly condition: string;
}

function Problems({ of, condition }: ProblemsProps) {
  if (of === undefined) return <Text size="sm">{say('Checking …')}</Text>;
  if (of.length === 0)
    return (
      <Text size="sm" role="status">
        {say('Nothing is wrong with it.')}
      </Text>
    );
  return (
    <Alert color="brick" title={plural(of.length, 'One thing is wrong', '{n} things are wrong')} role="status">
      <List size="sm">
        {of.map((p) => (
          <List.Item key={p}>
            {p}
            <Place of={p} condition={condition} />
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** The line of the condition that a problem names, marked from its column on. */
function Place({ of, condition }: { readonly of: string; readonly condition: string }) {
  const [, line, column] = /^condition, line (\d+), column (\d+)/.exec(of) ?? [];
  const text = line === undefined ? undefined : condition.split('\n')[Number(line) - 1];
  if (text === undefined) return null;
  const at = Number(column) - 1;
  return (
    <Text size="xs" ff="monospace" mt={4} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {text.slice(0, at)}
      <mark>{text.slice(at) || ' '}</mark>
    </Text>
  );
}
