// One form: its authority, law and sources, the periods it has, and a return made for one of them.

import { Anchor, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ClientSelect } from '../../components/client-select.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { countryName } from '../../data/countries.ts';
import { dayInWords } from '../../data/moments.ts';
import { usePath } from '../../data/path.ts';
import { useOp } from '../../data/use-op.ts';
import { NotFound } from '../../layout/not-found.tsx';
import { Unfetched } from '../../layout/unfetched.tsx';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import { useMakeReturn } from './make-return.ts';
import { above, confidenceWords, type Form, lengthOf } from './shown.ts';

const aboveForm = [...above, { title: say('Forms'), to: '/returns/forms' }];

export default function FormPage() {
  const id = usePath('form');
  const { data, error, refetch } = useOp('listFilingForms');
  if (!data) return <Unfetched title={say('Form')} above={aboveForm} error={error} refetch={refetch} />;
  const form = data.items.find((f) => f.form === id);
  if (!form) return <NotFound />;
  return (
    <>
      <PageHeader title={form.form} above={aboveForm} lead={form.english ?? form.title} />
      <Stack>
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <About form={form} />
          <Make form={form} />
        </SimpleGrid>
        <Panel title={say('Periods')} flush>
          <DataTable<Form['periods'][number]>
            label={say('Periods of the form')}
            pages={{ rows: form.periods }}
            rowKey={(r) => `${r.lastPeriod} ${r.who}`}
            columns={[
              { key: 'length', header: say('Length'), cell: lengthOf },
              {
                key: 'who',
                header: say('Who files so'),
                cell: (r) => (
                  <Text size="sm" maw="32rem">
                    {r.who}
                  </Text>
                ),
              },
              { key: 'last', header: say('Last finished'), cell: (r) => r.lastPeriod },
              { key: 'due', header: say('Due on'), cell: (r) => dayInWords(r.dueOn) },
            ]}
          />
        </Panel>
      </Stack>
    </>
  );
}

function About({ form: f }: { readonly form: Form }) {
  return (
    <Panel title={say('Form')}>
      <Facts
        items={[
          [say('Title'), f.title],
          [say('Authority'), f.authority],
          [say('Country'), countryName(f.countryCode)],
          [say('Law'), f.legalRef],
          [say('Taxes'), f.taxCodes.join(', ')],
          [say('Currency'), f.currency],
          [say('Other currencies'), say('Converted at the rate of {publisher}', { publisher: f.exchange.publisher })],
          [say('Boxes'), f.boxes],
          [say('Taxpayer’s number'), f.taxNumber],
          [say('Trusted as'), confidenceWords[f.confidence] ?? f.confidence],
          ...[f.source, ...f.furtherSources].map(
            (s, i) =>
              [
                i === 0 ? say('Source') : say('Further source {i}', { i }),
                <Source key={s.title} source={s} />,
              ] as const,
          ),
          [say('In short'), f.says],
        ]}
      />
    </Panel>
  );
}

function Source({ source: s }: { readonly source: Form['source'] }) {
  const text = `${s.title}, ${s.publisher}`;
  return (
    <>
      {rich('{url}, read on {retrievedOn}', {
        url: s.url ? (
          <Anchor href={s.url} target="_blank" rel="noreferrer" inherit>
            {text}
          </Anchor>
        ) : (
          text
        ),
        retrievedOn: dayInWords(s.retrievedOn),
      })}
    </>
  );
}

function Make({ form }: { readonly form: Form }) {
  const [clientId, setClientId] = useState<string>();
  const [period, setPeriod] = useState(form.lastPeriod);
  const { make, busy } = useMakeReturn(clientId);
  function submit(event: FormEvent) {
    event.preventDefault();
    void make(form.form, period.trim());
  }
  return (
    <Panel title={say('Make a return')}>
      <form onSubmit={submit}>
        <Stack>
          <ClientSelect
            label={say('Taxpayer')}
            placeholder={say('PSP with all clients')}
            value={clientId}
            onChange={setClientId}
          />
          <TextInput
            label={say('Period')}
            description={say("One of the form's periods, such as {periods}.", {
              periods: form.periods.map((r) => r.lastPeriod).join(', '),
            })}
            required
            maxLength={21}
            value={period}
            onChange={(e) => setPeriod(e.currentTarget.value)}
          />
          <Group>
            <Button type="submit" loading={busy}>
              {say('Make the return')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
