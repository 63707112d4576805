// The receipt of a record: checked step by step in this browser or downloaded; also checks a receipt file.

import { ActionIcon, Alert, Button, FileButton, Group, List, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { IconCircle, IconCircleCheck, IconCircleX, IconDownload, IconKey, IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '../data/assay.ts';
import { usePsp } from '../data/psp.tsx';
import { say } from '../words/words.ts';
import { Panel } from './panel.tsx';
import { Problem } from './problem.tsx';
import { type Checked, checkReceipt, type ShownRecord, type Step } from './receipt-steps.ts';

interface Props {
  readonly shown: ShownRecord;
  /** Where receipt and key come from, if not from the record's own PSP. */
  readonly source?: { receipt(): Promise<unknown>; key(): Promise<string> };
}

export function ReceiptPanel({ shown, source }: Props) {
  const { pspId } = usePsp();
  const [ownKey, setOwnKey] = useState('');
  const [withKey, setWithKey] = useState(false);
  const [busy, setBusy] = useState<'verify' | 'download' | 'file'>();
  const [checked, setChecked] = useState<Checked & { readonly of: string }>();
  const [problem, setProblem] = useState<unknown>();
  const called = pspId ? { pspId } : {};
  const receipt = async (): Promise<unknown> =>
    source ? source.receipt() : call('getReceipt', { recordId: shown.recordId }, called);
  const key = async () => ownKey.trim() || (source ? await source.key() : (await call('getAuditKey', {}, called)).key);

  async function during(what: typeof busy, work: () => Promise<void>) {
    setBusy(what);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setChecked(undefined);
      setProblem(error);
    } finally {
      setBusy(undefined);
    }
  }
  const check = async (value: unknown, of: string) =>
    setChecked({ ...(await checkReceipt(value, await key(), shown)), of });
  const verify = () => during('verify', async () => check(await receipt(), say('The receipt')));
  const checkFile = (file: File | null) =>
    file && during('file', async () => check(asJson(await file.text()), say('The file {name}', { name: file.name })));
  const download = () =>
    during('download', async () => save(`${shown.recordId}.receipt.json`, JSON.stringify(await receipt(), null, 2)));

  return (
    <Panel title={say('Receipt')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {say(
            'Every entry of the journal about this record, proved to stand in a log that is signed. Nobody, this service included, can change it afterwards unseen.',
          )}
        </Text>
        <Group gap="xs">
          <Button
            leftSection={<IconShieldCheck size={16} aria-hidden />}
            loading={busy === 'verify'}
            onClick={() => void verify()}
          >
            {say('Verify in this browser')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={busy === 'download'}
            onClick={() => void download()}
          >
            {say('Download')}
          </Button>
          <FileButton onChange={(f) => void checkFile(f)} accept="application/json,.json" resetRef={noReset}>
            {(props) => (
              <Button variant="default" loading={busy === 'file'} {...props}>
                {say('Check a file')}
              </Button>
            )}
          </FileButton>
          <Tooltip label={say('Check with a key you kept')}>
            <ActionIcon
              variant="default"
              size={36}
              aria-label={say('Check with a key you kept')}
              aria-expanded={withKey}
              onClick={() => setWithKey(!withKey)}
            >
              <IconKey size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Group>
        {withKey ? (
          <TextInput
            label={say('Key of the log')}
            description={say(
              'As getAuditKey gave it when you fetched it first. Left empty, the service is asked for it now.',
            )}
            placeholder="name+id+key"
            value={ownKey}
            onChange={(e) => setOwnKey(e.currentTarget.value)}
          />
        ) : null}
        {problem ? <Problem error={problem} retry={() => void verify()} /> : null}
        {checked ? <Result checked={checked} of={checked.of} /> : null}
      </Stack>
    </Panel>
  );
}

const noReset = { current: null };

/** Text that is not JSON is returned as it is; the check then says that it is no receipt. */
function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

function Result({ checked: { valid, steps }, of }: { readonly checked: Checked; readonly of: string }) {
  return (
    <Alert
      role="status"
      color={valid ? 'verdigris' : 'brick'}
      title={valid ? say('{of} is valid', { of }) : say('{of} is not valid', { of })}
      icon={valid ? <IconCircleCheck aria-hidden /> : <IconCircleX aria-hidden />}
    >
      <List
        spacing={6}
        size="sm"
        aria-label={say('What was checked')}
        listStyleType="none"
        styles={{ root: { paddingInlineStart: 0 }, itemWrapper: { alignItems: 'flex-start' } }}
      >
        {steps.map((s) => (
          <List.Item key={s.title} icon={<Mark state={s.state} />} style={{ overflowWrap: 'anywhere' }}>
            <Text size="sm" fw={600}>
              {s.title}
            </Text>
            {s.detail ? <Text size="xs">{s.detail}</Text> : null}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

const words: Record<Step['state'], string> = {
  passed: say('holds'),
  failed: say('does not hold'),
  open: say('not checked'),
};

function Mark({ state }: Pick<Step, 'state'>) {
  const Icon = state === 'passed' ? IconCircleCheck : state === 'failed' ? IconCircleX : IconCircle;
  const color = state === 'passed' ? 'verdigris-6' : state === 'failed' ? 'brick-5' : 'gray-5';
  return <Icon size={18} color={`var(--mantine-color-${color})`} role="img" aria-label={words[state]} />;
}
