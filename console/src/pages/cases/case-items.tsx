// What is in a case: notes, files, links and actions in order, and the forms that add a note, a file or a link.

import { Anchor, Button, FileButton, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Id } from '../../components/id.tsx';
import { Panel } from '../../components/panel.tsx';
import { inWords } from '../../components/status-badge.tsx';
import { Timeline } from '../../components/timeline.tsx';
import { isIdOf } from '../../data/id-kind.ts';
import { dayInWords } from '../../data/moments.ts';
import { useDo } from '../../data/use-do.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { ReportSent } from './report-sent.tsx';
import type { CaseDetail } from './state.tsx';
import { WriteReport } from './write-report.tsx';

type Item = CaseDetail['items'][number];

interface Props {
  readonly of: CaseDetail;
  readonly writable: boolean;
  readonly actorOf: (actor: string) => string;
}

const titles: Readonly<Record<string, string>> = {
  escalate: say('Escalated'),
  close: say('Closing'),
  approve: say('Agreed to'),
  reject: say('Rejected'),
  reopen: say('Reopened'),
};

const titleOf = (i: Item): string =>
  i.kind === 'NOTE'
    ? (titles[i.step ?? ''] ?? say('Note'))
    : i.kind === 'FILE'
      ? i.step === 'str'
        ? say('Suspicious transaction report')
        : say('File')
      : i.kind === 'LINK'
        ? say('Linked')
        : i.action === 'STR_SENT'
          ? say('Report sent')
          : inWords(i.action ?? 'ACTION');

const toneOf = (i: Item) => (i.kind === 'ACTION' ? ('bad' as const) : ('note' as const));

export function CaseItems({ of: c, writable, actorOf }: Props) {
  return (
    <Panel title={say('Notes, files and actions')} actions={writable ? <WriteReport of={c} /> : null}>
      {c.items.length > 0 ? (
        <Timeline
          label={say('Notes, files and actions')}
          items={c.items.map((i) => ({
            key: i.itemId,
            title: titleOf(i),
            at: i.at,
            by: actorOf(i.by),
            tone: toneOf(i),
            body: <Body of={c} item={i} writable={writable} />,
          }))}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {say('Nothing is in this case yet.')}
        </Text>
      )}
      {writable ? <Adding caseId={c.caseId} /> : null}
    </Panel>
  );
}

interface BodyProps {
  readonly of: CaseDetail;
  readonly item: Item;
  readonly writable: boolean;
}

function Body({ of: c, item: i, writable }: BodyProps) {
  const text = i.text ? <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{i.text}</Text> : null;
  if (i.kind === 'FILE')
    return (
      <Group gap={8} wrap="wrap">
        <Anchor href={`/v1/case/${c.caseId}/file/${i.itemId}`} download={i.text ?? 'file'}>
          {i.text}
        </Anchor>
        <Text size="sm" c="dimmed">
          {rich('{type}, {max} KiB', { type: i.type, max: Math.max(1, Math.round((i.size ?? 0) / 1024)) })}
        </Text>
        {i.step === 'str' && writable && !c.items.some((s) => s.about === i.itemId) ? (
          <ReportSent caseId={c.caseId} fileId={i.itemId} name={i.text ?? ''} />
        ) : null}
      </Group>
    );
  if (i.action === 'STR_SENT')
    return (
      <Text size="sm">
        {rich('{name}, sent on {day}: {reference}', {
          name: c.items.find((f) => f.itemId === i.about)?.text,
          day: i.sentOn ? dayInWords(i.sentOn) : null,
          reference: i.text,
        })}
      </Text>
    );
  return (
    <>
      {isIdOf('case', i.about) ? (
        <Anchor component={Link} to={`/cases/${i.about}`}>
          {say('Another case')}
        </Anchor>
      ) : i.about ? (
        <Id value={i.about} what={say('linked id')} />
      ) : null}
      {text}
    </>
  );
}

const mostBytes = 10 * 2 ** 20;
const accepted = 'application/pdf,image/png,image/jpeg,text/plain,text/csv';

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error(say('the file could not be read')));
    reader.readAsDataURL(file);
  });
}

function Adding({ caseId }: { readonly caseId: string }) {
  const [note, setNote] = useState('');
  const [to, setTo] = useState('');
  const [wrong, setWrong] = useState('');
  const addNote = useDo('noteCase', { asOperator: true });
  const addFile = useDo('addCaseFile', { asOperator: true, done: say('File added') });
  const link = useDo('linkCase', { asOperator: true, done: say('Linked') });
  const nothing = () => undefined;
  function submitNote(event: FormEvent) {
    event.preventDefault();
    // The hook has shown the refusal; the input stays.
    void addNote.mutateAsync({ caseId, note: note.trim() }).then(() => setNote(''), nothing);
  }
  function submitLink(event: FormEvent) {
    event.preventDefault();
    void link.mutateAsync({ caseId, to: to.trim() }).then(() => setTo(''), nothing);
  }
  async function send(file: File | null) {
    if (!file) return;
    setWrong(file.size > mostBytes ? say('A file may have at most 10 MiB.') : '');
    if (file.size > mostBytes) return;
    const content = await base64Of(file);
    await addFile.mutateAsync({ caseId, name: file.name, type: file.type as 'text/plain', content }).catch(nothing);
  }
  return (
    <Stack gap="md" mt="md">
      <form onSubmit={submitNote}>
        <Stack gap="xs" align="flex-start">
          <Textarea
            label={say('Another note')}
            description={say('Sealed: it may name people, and is erased with them.')}
            value={note}
            onChange={(e) => setNote(e.currentTarget.value)}
            maxLength={4000}
            autosize
            minRows={2}
            w="100%"
          />
          <Group gap="xs">
            <Button type="submit" variant="default" size="xs" disabled={note.trim() === ''} loading={addNote.isPending}>
              {say('Add note')}
            </Button>
            <FileButton onChange={(f) => void send(f)} accept={accepted}>
              {(props) => (
                <Button {...props} variant="default" size="xs" loading={addFile.isPending}>
                  {say('Add a file')}
                </Button>
              )}
            </FileButton>
          </Group>
          {wrong ? (
            <Text size="sm" role="alert">
              {wrong}
            </Text>
          ) : null}
        </Stack>
      </form>
      <form onSubmit={submitLink}>
        <Group align="flex-end" gap="xs" wrap="wrap">
          <TextInput
            label={say('Link a record or case')}
            placeholder={say('txn_…, wgr_…, cdr_…, cas_…')}
            value={to}
            onChange={(e) => setTo(e.currentTarget.value)}
            style={{ flexGrow: 1 }}
          />
          <Button type="submit" variant="default" disabled={to.trim() === ''} loading={link.isPending}>
            {say('Link')}
          </Button>
        </Group>
      </form>
    </Stack>
  );
}
