// Requesting a report: its kind, and a field for each of the kind's parameters.

import { Button, Group, Paper, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ClientSelect } from '../../components/client-select.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { day } from '../../data/now.ts';
import { useFilters } from '../../data/path.ts';
import { usePsp } from '../../data/psp.tsx';
import { usePsps } from '../../data/psps.ts';
import { useIsClient } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { Loading } from '../../layout/loading.tsx';
import { named, say } from '../../words/words.ts';
import { type Rhythm, RhythmFields, usualRhythm } from './rhythm.tsx';
import { type Kind, parameterName, useKinds } from './shown.ts';

interface Parameter {
  readonly name: string;
  readonly description: string | undefined;
  readonly required: boolean;
  readonly maxLength: number | undefined;
}

interface Schema {
  readonly properties?: Readonly<Record<string, { description?: string; maxLength?: number | string }>>;
  readonly required?: readonly string[];
}

function parametersOf(kind: Kind): Parameter[] {
  const { properties = {}, required = [] } = kind.parameters as Schema;
  return Object.entries(properties).map(([name, p]) => ({
    name,
    description: p.description && named(p.description).replaceAll('`', ''),
    required: required.includes(name),
    maxLength: p.maxLength === undefined ? undefined : Number(p.maxLength),
  }));
}

/** The input type for a parameter; others are text. */
const inputTypes: Readonly<Record<string, string>> = { period: 'month', from: 'date', to: 'date' };

export default function NewReport() {
  const [filters, setFilters] = useFilters();
  const { kinds, error, refetch } = useKinds();
  const above = [{ title: say('Reports'), to: '/reports' }];
  const kind = kinds?.find((k) => k.kind === filters.kind);
  return (
    <>
      <PageHeader title={say('New report')} above={above} />
      {error && !kinds ? <Problem error={error} retry={() => void refetch()} /> : null}
      {!kinds && !error ? <Loading /> : null}
      {kinds ? (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Stack>
            <Select
              label={say('Kind of report')}
              placeholder={say('Choose one')}
              allowDeselect={false}
              data={kinds.map((k) => ({ value: k.kind, label: named(k.title) }))}
              value={kind?.kind ?? null}
              onChange={(v) => setFilters({ kind: v ?? undefined })}
            />
            {kind ? <Ask key={kind.kind} kind={kind} preset={filters} /> : null}
          </Stack>
          <Paper p="md">
            <Title order={2} mb="xs">
              {kind ? named(kind.title) : say('What there is')}
            </Title>
            {kind ? (
              <Text size="sm">{named(kind.summary)}</Text>
            ) : (
              <Stack gap="sm">
                {kinds.map((k) => (
                  <div key={k.kind}>
                    <Text size="sm" fw={600}>
                      {named(k.title)}
                    </Text>
                    <Text size="sm" c="dimmed">
                      {named(k.summary)}
                    </Text>
                  </div>
                ))}
              </Stack>
            )}
          </Paper>
        </SimpleGrid>
      ) : null}
    </>
  );
}

function Ask({ kind, preset }: { readonly kind: Kind; readonly preset: Readonly<Record<string, string | undefined>> }) {
  const [rhythm, setRhythm] = useState<Rhythm | undefined>(() => rhythmNamed(preset.repeat, undefined));
  const parameters = parametersOf(kind).filter((p) => !rhythm || !filledIn.has(p.name));
  const { ready } = usePsp();
  const isClient = useIsClient();
  const psps = usePsps();
  const navigate = useNavigate();
  const [clientId, setClientId] = useState(preset.clientId);
  const [psp, setPsp] = useState<string | null>(null);
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(parameters.map((p) => [p.name, preset[p.name] ?? usual(p.name)])),
  );
  const create = useDo('createReport', { clientId: ready ? clientId : undefined });
  const schedule = useDo('createReportSchedule', {
    clientId: ready ? clientId : undefined,
    done: say('Report scheduled'),
  });
  async function submit(event: FormEvent) {
    event.preventDefault();
    const names = new Set(parameters.map((p) => p.name));
    const given = Object.fromEntries(Object.entries(values).filter(([n, v]) => names.has(n) && v.trim() !== ''));
    const body = { kind: kind.kind, ...given, ...(ready || !psp ? {} : { clientId: psp }) };
    if (rhythm) {
      const { onDay, ...rest } = rhythm;
      const planned = { ...body, ...rest, ...(onDay === null ? {} : { onDay }) } as Parameters<
        typeof schedule.mutateAsync
      >[0];
      const scheduled = await schedule.mutateAsync(planned).catch(() => undefined);
      if (scheduled) await navigate({ to: '/reports/schedules' });
      return;
    }
    const made = await create.mutateAsync(body as Parameters<typeof create.mutateAsync>[0]).catch(() => undefined);
    if (made) await navigate({ to: `/reports/${made.reportId}` });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {ready ? (
          <ClientSelect
            label={say('Client (none: the PSP and all its clients)')}
            value={clientId}
            onChange={setClientId}
          />
        ) : (
          <Select
            label="PSP"
            required
            searchable
            data={(psps.data ?? []).map((p) => ({ value: p.pspId, label: p.name }))}
            value={psp}
            onChange={setPsp}
          />
        )}
        {parameters.map((p) => (
          <TextInput
            key={p.name}
            label={parameterName(p.name)}
            description={p.description}
            type={inputTypes[p.name] ?? 'text'}
            required={p.required}
            {...(p.maxLength ? { maxLength: p.maxLength } : {})}
            value={values[p.name] ?? ''}
            onChange={(e) => {
              const { value } = e.currentTarget;
              setValues((v) => ({ ...v, [p.name]: value }));
            }}
          />
        ))}
        {isClient ? null : (
          <Select
            label={say('How often')}
            allowDeselect={false}
            data={repeats}
            value={rhythm?.every ?? ''}
            onChange={(v) => setRhythm((r) => rhythmNamed(v, r))}
          />
        )}
        {rhythm ? <RhythmFields value={rhythm} onChange={setRhythm} /> : null}
        <Group>
          <Button type="submit" loading={create.isPending || schedule.isPending}>
            {rhythm ? say('Schedule the report') : say('Make the report')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** @param every empty for once */
function rhythmNamed(every: string | null | undefined, before: Rhythm | undefined): Rhythm | undefined {
  if (every !== 'DAY' && every !== 'WEEK' && every !== 'MONTH') return undefined;
  const onDay = every === 'DAY' ? null : 1;
  return { ...(before ?? usualRhythm()), every, onDay };
}

/** How often, in the order offered; the empty one is once. */
const repeats = [
  { value: '', label: say('Once') },
  { value: 'DAY', label: say('Every day') },
  { value: 'WEEK', label: say('Every week') },
  { value: 'MONTH', label: say('Every month') },
];
/** A schedule fills these in for each report. */
const filledIn = new Set(['period', 'quarter', 'from', 'to']);

/** Initial value of a field: most reports are for the current month. */
const usual = (name: string): string => (name === 'period' ? day().slice(0, 7) : '');
