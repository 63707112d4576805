// Above a list: how many rows its filters find, the time zone of its times, its columns, views that were saved, and the list as
// a file.

import { Group, Select, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { ListSource, Total } from '../data/list-source.ts';
import { useZoneChoice } from '../data/use-zone.ts';
import { cityOf, zoneChoices } from '../data/zone.ts';
import { locale } from '../words/language.ts';
import { say } from '../words/words.ts';
import { ColumnChooser, type useColumns } from './column-chooser.tsx';
import { DownloadList } from './download-list.tsx';
import classes from './list-bar.module.css';
import { SavedViews } from './saved-views.tsx';

interface Props {
  readonly label: string;
  readonly source: ListSource;
  /** How many rows there are, if all of them are shown. */
  readonly whole: number | undefined;
  /** How many there are, as the service counted them. */
  readonly counted: Total | null | undefined;
  readonly columns: Pick<ReturnType<typeof useColumns>, 'choices' | 'show'>;
}

export function ListBar({ label, source, whole, counted, columns }: Props) {
  const total = whole === undefined ? counted : { rows: whole, more: false };
  return (
    <Group justify="space-between" px="md" py={6} gap="xs" className={classes.bar}>
      <Text size="sm" fw={600} role="status" aria-label={say('Number of {label}', { label: label.toLowerCase() })}>
        {inWords(label, total)}
      </Text>
      <Group gap="xs">
        <ZoneSelect />
        {whole === 0 ? null : <ColumnChooser {...columns} />}
        <SavedViews />
        {whole === 0 ? null : <DownloadList label={label} source={source} />}
      </Group>
    </Group>
  );
}

/** Transactions: 1,234. Without a number where none is known. */
function inWords(label: string, total: Total | null | undefined): string {
  if (!total) return label;
  const rows = total.rows.toLocaleString(locale);
  return say('{label}: {rows}', { label, rows: total.more ? `${say('more than')} ${rows}` : rows });
}

function ZoneSelect() {
  const [zone, choose] = useZoneChoice();
  const [opened, setOpened] = useState(false);
  const data = useMemo(() => (opened ? zoneChoices(zone) : [{ value: zone, label: cityOf(zone) }]), [zone, opened]);
  return (
    <Select
      aria-label={say('Time zone')}
      size="xs"
      w={150}
      leftSection={<span className={classes.prefix}>{say('Times in')}</span>}
      leftSectionWidth={62}
      data={data}
      value={zone}
      onDropdownOpen={() => setOpened(true)}
      onChange={(v) => v && choose(v)}
      allowDeselect={false}
      searchable
      maxDropdownHeight={320}
      comboboxProps={{ width: 300, position: 'bottom-end' }}
      nothingFoundMessage={say('No such zone or country')}
    />
  );
}
