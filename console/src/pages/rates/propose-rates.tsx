// Proposes a change of a country's taxes: its rows in force, each of which may get another rate or end.

import { Button, Group, Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import { CountryFilter } from '../../components/country-filter.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import { countryName } from '../../data/countries.ts';
import { useFilters } from '../../data/path.ts';
import { shownText } from '../../data/shown-text.ts';
import { useOp } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { type Action, RowDialog } from './row-dialog.tsx';
import { termsText } from './row-diff.tsx';
import { daysText, inForce, inOneWord, limitOf } from './rule.ts';
import type { Row, TaxFile } from './tax-file.ts';

export function ProposeRates({ country }: { readonly country: string }) {
  const [, setFilters] = useFilters();
  const rates = useOp('taxRates', { country });
  const { data, error, isPending, refetch } = useOp('getTaxFile', { countryCode: country }, { asOperator: true });
  const [action, setAction] = useState<Action>();
  const file = data?.file as unknown as TaxFile | undefined;
  const today = rates.data?.date;
  const rows = useMemo(() => (file && today ? file.rules.filter((r) => inForce(r, today)) : undefined), [file, today]);
  const act = (row: Row) => (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      <Button
        size="xs"
        variant="default"
        aria-label={say('Change rate of {ruleId}', { ruleId: row.ruleId })}
        onClick={() => setAction({ kind: 'CHANGE', row })}
      >
        {say('Change rate')}
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-label={say('End {ruleId}', { ruleId: row.ruleId })}
        onClick={() => setAction({ kind: 'END', row })}
      >
        {say('End')}
      </Button>
    </Group>
  );
  return (
    <Stack gap="md">
      <CountryFilter value={country} onChange={(v) => setFilters({ propose: v })} />
      <Panel
        title={say('Rows in force in {country}', { country: countryName(country) })}
        actions={
          <Group gap={6}>
            <Button size="xs" disabled={!file || !today} onClick={() => setAction({ kind: 'ADD' })}>
              {say('Add a row')}
            </Button>
            <Button size="xs" variant="default" onClick={() => setFilters({ propose: undefined })}>
              {say('Back to the proposals')}
            </Button>
          </Group>
        }
        flush
      >
        <DataTable
          label={say('Rows in force')}
          pages={{
            rows,
            error: error ?? rates.error ?? undefined,
            loading: isPending || rates.isPending,
            retry: () => void refetch(),
          }}
          rowKey={(r) => r.ruleId}
          empty={<Empty title={say('No rows in force')} />}
          columns={[
            { key: 'rule', header: say('Row'), cell: (r) => r.ruleId },
            { key: 'tax', header: say('Tax'), cell: (r) => `${r.taxCode}, ${inWords(r.category).toLowerCase()}` },
            { key: 'limit', header: say('For'), cell: (r) => limitOf(shownText(r)) ?? say('All') },
            {
              key: 'ops',
              header: say('Operations'),
              cell: (r) => r.operations.map(inOneWord).join(', '),
              wideOnly: true,
            },
            { key: 'rate', header: say('Rate'), cell: (r) => termsText(r, file?.currency ?? '') },
            { key: 'valid', header: say('In force'), cell: daysText },
            {
              key: 'checked',
              header: say('Checked'),
              cell: (r) => <StatusBadge status={r.confidence} />,
              wideOnly: true,
            },
            { key: 'act', header: '', align: 'right', cell: act },
          ]}
        />
      </Panel>
      {file && today && action ? (
        <RowDialog
          file={file}
          today={today}
          action={action}
          onClose={() => setAction(undefined)}
          onProposed={() => setFilters({ propose: undefined })}
        />
      ) : null}
    </Stack>
  );
}
