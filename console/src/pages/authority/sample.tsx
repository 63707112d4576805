// Records drawn at random, and their receipts checked one after the other in this browser.

import { Button, Group, NumberInput, Progress, Text, TextInput } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { Empty } from '../../components/empty.tsx';
import { Money } from '../../components/money.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { PlainTable } from '../../components/plain-table.tsx';
import { Problem } from '../../components/problem.tsx';
import { checkReceipt } from '../../components/receipt-steps.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { type Content, call } from '../../data/assay.ts';
import { dayInWords } from '../../data/moments.ts';
import { useFilters } from '../../data/path.ts';
import { say } from '../../words/words.ts';
import { logKey } from './log-key.ts';
import { kindWords } from './pages.ts';

type Sample = Content<'listAuthoritySample'>;

export default function AuthoritySample() {
  const [drawn, setDrawn] = useFilters();
  const [size, setSize] = useState<number | string>(Number(drawn.size) || 50);
  const [seed, setSeed] = useState(drawn.seed ?? '');
  const [sample, setSample] = useState<Sample>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const [checked, setChecked] = useState<ReadonlyMap<string, boolean>>(new Map());

  async function during(work: () => Promise<void>) {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  }
  const draw = () =>
    during(async () => {
      setChecked(new Map());
      const records = await call('listAuthoritySample', { size: Number(size), ...(seed ? { seed } : {}) }, {});
      setSample(records);
      setSeed(records.seed);
      setDrawn({ seed: records.seed, size: String(size) });
    });
  // Who comes back from one of the records, or follows the address, has the same sample again.
  const again = useEffectEvent(() => {
    if (drawn.seed !== undefined) void draw();
  });
  useEffect(() => {
    again();
  }, []);
  const check = ({ items }: Sample) =>
    during(async () => {
      const found = new Map<string, boolean>();
      for (const { recordId, pspId, type, amount, currency, ref } of items) {
        const receipt = await call('getAuthorityReceipt', { recordId }, {});
        const values = { [type === 'transaction' ? 'totalAmount' : 'amount']: String(amount), currency, ref };
        found.set(recordId, (await checkReceipt(receipt, await logKey(pspId), { recordId, values })).valid);
        setChecked(new Map(found));
      }
    });
  const proved = [...checked.values()].filter((valid) => valid).length;
  return (
    <>
      <PageHeader
        title={say('Sample')}
        lead={say(
          'Records drawn from all that you see. Who chooses the seed chooses the records, so choose one yourself: from the same records the same seed draws the same again.',
        )}
      />
      <Panel title={say('Draw')}>
        <Group align="end">
          <NumberInput label={say('Number of records')} min={1} max={200} value={size} onChange={setSize} w={160} />
          <TextInput
            label={say('Seed')}
            placeholder={say('Any text')}
            maxLength={100}
            value={seed}
            onChange={(e) => setSeed(e.currentTarget.value)}
          />
          <Button loading={busy} onClick={() => void draw()}>
            {say('Draw')}
          </Button>
          {sample && sample.items.length > 0 ? (
            <Button variant="default" loading={busy} onClick={() => void check(sample)}>
              {say('Check all receipts')}
            </Button>
          ) : null}
        </Group>
        {sample ? (
          <Text size="sm" mt="sm" role="status">
            {checked.size === 0
              ? say('Drawn with the seed {seed}', { seed: sample.seed })
              : checked.size < sample.items.length
                ? say('{checked} of {all} receipts checked', { checked: checked.size, all: sample.items.length })
                : say('{proved} of {all} receipts hold', { proved, all: checked.size })}
          </Text>
        ) : null}
        {sample?.archivedBefore === undefined ? null : (
          <Text size="sm" mt="xs">
            {say('What was recorded before {day} (UTC) is in the archive and was not drawn from.', {
              day: dayInWords(sample.archivedBefore),
            })}
          </Text>
        )}
        {busy && checked.size > 0 && sample ? (
          <Progress value={(100 * checked.size) / sample.items.length} mt="xs" aria-label={say('Receipts checked')} />
        ) : null}
        {problem ? <Problem error={problem} retry={() => void draw()} /> : null}
      </Panel>
      {sample ? (
        <Panel title={say('Drawn records')} flush>
          <PlainTable
            label={say('Drawn records')}
            pages={{ rows: sample.items }}
            rowKey={(r) => r.recordId}
            rowTo={(r) => `/authority/records/${r.recordId}`}
            empty={<Empty title={say('No record to draw from')} />}
            columns={[
              { key: 'ref', header: say('Ref'), cell: (r) => r.ref ?? r.recordId },
              { key: 'kind', header: say('Kind'), cell: (r) => kindWords[r.type] },
              {
                key: 'amount',
                header: say('Amount'),
                align: 'right',
                cell: (r) => <Money amount={r.amount} currency={r.currency} />,
              },
              { key: 'day', header: say('Tax date'), cell: (r) => dayInWords(r.day) },
              { key: 'psp', header: 'PSP', cell: (r) => r.pspName },
              { key: 'receipt', header: say('Receipt'), cell: (r) => <Receipt valid={checked.get(r.recordId)} /> },
            ]}
          />
        </Panel>
      ) : null}
    </>
  );
}

function Receipt({ valid }: { readonly valid: boolean | undefined }) {
  if (valid === undefined) return <StatusBadge status="OPEN" tone="quiet" label={say('not checked')} />;
  return valid ? (
    <StatusBadge status="VALID" tone="good" label={say('holds')} />
  ) : (
    <StatusBadge status="INVALID" tone="bad" label={say('does not hold')} />
  );
}
