// Downloads a list, or the rows of a detail, as the CSV file that the service writes for people.

import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { told } from '../data/errors.ts';
import { fetchFile, type ListSource } from '../data/list-source.ts';
import { saveCsv } from '../data/save.ts';
import { say } from '../words/words.ts';

export function DownloadList({ label, source }: { readonly label: string; readonly source: ListSource }) {
  const [busy, setBusy] = useState(false);
  async function download() {
    setBusy(true);
    try {
      const { name, text, whole } = await fetchFile(source);
      // Spreadsheets read a file as UTF-8 only if it begins with this mark.
      saveCsv(name, `\ufeff${text}`);
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
