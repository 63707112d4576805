// Above a list: how many rows its filters find, the time zone of its times, its columns, views that were saved, and the list as
// a file.

import { Button, Group, Select, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { told } from '../data/errors.ts';
import { fetchFile, type ListSource, type Total } from '../data/list-source.ts';
import { saveText } from '../data/save.ts';
import { useZoneChoice } from '../data/use-zone.ts';
import { cityOf, zoneChoices } from '../data/zone.ts';
import { locale } from '../words/language.ts';
import { say } from '../words/words.ts';
import { ColumnChooser, type useColumns } from './column-chooser.tsx';
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
        {whole === 0 ? null : <Download label={label} source={source} />}
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

function Download({ label, source }: { readonly label: string; readonly source: ListSource }) {
  const [busy, setBusy] = useState(false);
  async function download() {
    setBusy(true);
    try {
      const { name, text, whole } = await fetchFile(source);
      // Spreadsheets read a file as UTF-8 only if it begins with this mark.
      saveText(name, 'text/csv;charset=utf-8', `\ufeff${text}`);
      notifications.show({
        color: whole ? 'verdigris' : 'brass',
        title: name,
        message: whole
          ? say('All rows of the list are in the file.')
          : say('Not all rows are in the file: choose fewer days or more filters, and download it again.'),
        autoClose: whole ? 4_000 : false,
      });
    } catch (error) {
      notifications.show({ color: 'brick', title: say('The file could not be made'), message: told(error).sentence });
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button
      size="xs"
      variant="default"
      loading={busy}
      leftSection={<IconDownload size={14} aria-hidden />}
      onClick={() => void download()}
      aria-label={say('Download {label} as CSV', { label: label.toLowerCase() })}
    >
      {say('CSV')}
    </Button>
  );
}
