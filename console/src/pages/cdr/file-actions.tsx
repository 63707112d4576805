// Actions on a file: withdraw its records; download its rejected lines as CSV for correction, or write them off.

import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { assay, type Content } from '../../data/assay.ts';
import { usePsp } from '../../data/psp.tsx';
import { saveCsv } from '../../data/save.ts';
import { useMay } from '../../data/session.tsx';
import { tellRefusal, useDo } from '../../data/use-do.ts';
import { locale } from '../../words/language.ts';
import { say } from '../../words/words.ts';
import type { FileDetail } from './file.tsx';

/** Returns all rejected lines under one header; the service returns them in several replies. */
async function rejectedLines(fileId: string, pspId: string | undefined): Promise<string> {
  let text = '';
  for (let after: number | undefined; ; ) {
    const input = { fileId, ...(after === undefined ? {} : { after }) };
    const { content, headers } = await assay.reply('getRejectedCsv', input, pspId ? { pspId } : {});
    text += text === '' ? content : content.slice(content.indexOf('\n') + 1);
    const next = headers.get('x-next-after');
    if (!next) return text;
    after = Number(next);
  }
}

export function FileActions({ file }: { readonly file: FileDetail }) {
  return (
    <>
      {file.suspense.open > 0 ? <RejectedLines file={file} /> : null}
      {file.completedAt !== null && file.counts.accepted > (file.counts.withdrawn ?? 0) ? (
        <Withdraw file={file} />
      ) : null}
    </>
  );
}

function Withdraw({ file }: { readonly file: FileDetail }) {
  const may = useMay('withdrawCdrFile');
  const withdraw = useDo('withdrawCdrFile');
  if (!may) return null;
  async function all(reason: string) {
    let withdrawn = 0;
    for (let after: number | null = 0; after !== null; ) {
      const portion: Content<'withdrawCdrFile'> = await withdraw.mutateAsync({ fileId: file.fileId, reason, after });
      withdrawn += portion.withdrawn;
      after = portion.next;
    }
    notifications.show({
      message: say('{withdrawn} records withdrawn', { withdrawn: withdrawn.toLocaleString(locale) }),
      color: 'verdigris',
    });
  }
  return (
    <ConfirmButton
      label={say('Withdraw')}
      question={say('Withdraw all records of this file?')}
      reason="required"
      danger
      onConfirm={all}
    >
      {say('They stay as they were recorded and count no more; their taxes are taken off.')}
    </ConfirmButton>
  );
}

function RejectedLines({ file }: { readonly file: FileDetail }) {
  const { pspId } = usePsp();
  const [busy, setBusy] = useState(false);
  const may = useMay('writeOffCdrLines');
  const writeOff = useDo('writeOffCdrLines', {
    done: (c) => say('{writtenOff} lines written off', { writtenOff: c.writtenOff.toLocaleString(locale) }),
  });
  async function download() {
    setBusy(true);
    try {
      const text = await rejectedLines(file.fileId, pspId);
      saveCsv(`rejected-${file.fileName.replace(/\.csv$/i, '')}.csv`, text);
    } catch (error) {
      tellRefusal(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <>
      <Button onClick={() => void download()} loading={busy} leftSection={<IconDownload size={16} aria-hidden />}>
        {say('Rejected lines')}
      </Button>
      {may ? (
        <ConfirmButton
          label={say('Write off')}
          question={say('Write off {open} rejected lines?', { open: file.suspense.open.toLocaleString(locale) })}
          reason="required"
          danger
          onConfirm={(reason) => writeOff.mutateAsync({ fileId: file.fileId, reason })}
        >
          {say('The lines stay rejected: not recorded, not taxed, and no longer open.')}
        </ConfirmButton>
      ) : null}
    </>
  );
}
