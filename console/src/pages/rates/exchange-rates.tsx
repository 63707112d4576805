// Published exchange rates: whose are stored and up to which day, a search, and the upload of a file by staff.

import { Alert, Button, FileButton, Group, List, Stack, TextInput } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { AnyOf } from '../../components/any-of.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import type { Content } from '../../data/assay.ts';
import { told } from '../../data/errors.ts';
import { useFilters } from '../../data/path.ts';
import { publishedText } from '../../data/published-text.ts';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp, usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';

type Publisher = Content<'listExchangePublishers'>['items'][number];
type Rate = Content<'listExchangeRates'>['items'][number];

const dayOf = (kind: string, day: string) => (kind === 'MONTH' ? day.slice(0, 7) : day);
const quoted = (r: Rate) =>
  r.per === 'BASE'
    ? `${r.units} ${r.base} = ${r.rate} ${r.currency}`
    : `${r.units} ${r.currency} = ${r.rate} ${r.base}`;

export function ExchangeRates() {
  const may = useMay('loadExchangeRates');
  const { data, error, isPending, refetch } = useOp('listExchangePublishers');
  const stored = data?.items.filter((p) => p.stored.length > 0);
  return (
    <Stack gap="md">
      <Panel title={say('Publishers')} actions={may ? <Upload /> : null} flush>
        <DataTable<Publisher>
          label={say('Publishers of exchange rates')}
          pages={{ rows: stored, error: error ?? undefined, loading: isPending, retry: () => void refetch() }}
          rowKey={(p) => p.publisher}
          empty={
            <Empty title={say('No exchange rates')}>
              {say(
                'Returns in another currency need them. Staff load the published files of central banks and tax authorities.',
              )}
            </Empty>
          }
          columns={[
            { key: 'name', header: say('Publisher'), cell: (p) => `${p.name} (${p.publisher})` },
            {
              key: 'last',
              header: say('Last day'),
              cell: (p) => p.stored.map((s) => dayOf(s.kind, s.lastDay)).join(', '),
            },
            {
              key: 'first',
              header: say('First day'),
              cell: (p) => p.stored.map((s) => dayOf(s.kind, s.firstDay)).join(', '),
              wideOnly: true,
            },
            { key: 'base', header: say('Against'), cell: (p) => p.base },
            {
              key: 'currencies',
              header: say('Currencies'),
              align: 'right',
              cell: (p) => new Set(p.stored.flatMap((s) => s.currencies)).size,
            },
            { key: 'figure', header: say('Rate'), cell: (p) => p.figure, wideOnly: true },
            {
              key: 'at',
              header: say('Loaded'),
              cell: (p) => (
                <Stamp
                  at={
                    p.stored
                      .map((s) => s.loadedAt)
                      .sort()
                      .at(-1) ?? ''
                  }
                />
              ),
            },
          ]}
        />
      </Panel>
      <Rates publishers={data?.items ?? []} />
    </Stack>
  );
}

function Rates({ publishers }: { readonly publishers: readonly Publisher[] }) {
  const [filters, setFilters] = useFilters();
  const { publisher, currency, day } = filters;
  const asked = { publisher, currency, ...(day ? { dayTo: day } : {}) } as Parameters<
    typeof usePages<'listExchangeRates'>
  >[1];
  const pages = usePages('listExchangeRates', asked);
  return (
    <>
      <FilterBar>
        <AnyOf
          of="publisher"
          label={say('Publisher')}
          clear={say('Any publisher')}
          data={publishers.map((p) => ({ value: p.publisher, label: `${p.publisher}, ${p.name}` }))}
          searchable
        />
        <TextFilter
          of="currency"
          label={say('Currency')}
          placeholder="USD"
          read={(text) => (/^[a-z]{3}$/i.test(text) ? text.toUpperCase() : undefined)}
          wrong={say('Three letters, such as USD')}
        />
        <TextInput
          label={say('Up to')}
          type="date"
          value={day ?? ''}
          onChange={(e) => setFilters({ day: e.currentTarget.value || undefined })}
        />
      </FilterBar>
      <Panel title={say('Rates')} flush>
        <DataTable<Rate>
          label={say('Exchange rates')}
          pages={pages as never}
          rowKey={(r) => `${r.publisher} ${r.kind} ${r.currency} ${r.day}`}
          empty={<Empty title={say('No rate matches')}>{say('Try another currency, or a later day.')}</Empty>}
          columns={[
            { key: 'day', header: say('Day'), cell: (r) => dayOf(r.kind, r.day) },
            { key: 'rate', header: say('Rate'), cell: quoted },
            { key: 'publisher', header: say('Publisher'), cell: (r) => r.publisher },
            {
              key: 'revision',
              header: say('Corrected'),
              cell: (r) => (r.revision > 1 ? say('yes') : say('no')),
              wideOnly: true,
            },
            { key: 'at', header: say('Loaded'), cell: (r) => <Stamp at={r.loadedAt} />, wideOnly: true },
          ]}
        />
      </Panel>
    </>
  );
}

function whatWasNew({ name, added, corrected, correctedSince }: Content<'loadExchangeRates'>): string {
  if (correctedSince > 0)
    return say('{name}: loaded before; later files corrected {correctedSince} of its rates, and stay in force', {
      name,
      correctedSince,
    });
  return added + corrected === 0
    ? say('{name}: nothing new, all its rates are in force already', { name })
    : say('{name}: {added} added, {corrected} corrected', { name, added, corrected });
}

/** Loads the chosen files one after another; a file that is refused is named with its line. */
function Upload() {
  const [refused, setRefused] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const load = useDo('loadExchangeRates', { asOperator: true, quiet: true, done: whatWasNew });
  const read = async (files: File[]) => {
    setBusy(true);
    const faults: string[] = [];
    for (const file of files)
      await publishedText(file)
        .then((text) => load.mutateAsync({ name: file.name, text }))
        .catch((e: unknown) => faults.push(told(e).sentence));
    setRefused(faults);
    setBusy(false);
  };
  return (
    <Group gap="xs" justify="flex-end">
      <FileButton onChange={(files) => void read(files)} accept=".xml,.csv,.txt,.json" multiple>
        {(props) => (
          <Button
            {...props}
            size="xs"
            variant="default"
            loading={busy}
            leftSection={<IconUpload size={16} aria-hidden />}
          >
            {say('Load published files')}
          </Button>
        )}
      </FileButton>
      {refused.length > 0 ? (
        <Alert
          color="brick"
          title={say('Refused')}
          withCloseButton
          onClose={() => setRefused([])}
          closeButtonLabel={say('Close')}
        >
          <List size="sm">
            {refused.map((why) => (
              <List.Item key={why}>{why}</List.Item>
            ))}
          </List>
        </Alert>
      ) : null}
    </Group>
  );
}
