// A search of a name or an exact value over all lists. What is typed may name a person: it is kept out of the address.

import type { Input } from '@assay/client';
import { Anchor, Box, Button, Group, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useMemo, useState } from 'react';
import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { percent } from '../../data/amounts.ts';
import type { Content } from '../../data/assay.ts';
import { countryChoices, countryName } from '../../data/countries.ts';
import { useOp } from '../../data/use-op.ts';
import { rich } from '../../words/rich.ts';
import { between, plural, say } from '../../words/words.ts';
import { Scores } from './scores.tsx';
import { born as bornForm, keyKinds, options, purposes } from './words.ts';

type Hit = Content<'searchLists'>['items'][number];

export function SearchLists() {
  const [name, setName] = useState('');
  const [born, setBorn] = useState('');
  const [country, setCountry] = useState<string | null>(null);
  const [kind, setKind] = useState('wallet');
  const [value, setValue] = useState('');
  const [asked, setAsked] = useState<Input<'searchLists'>>();
  const countries = useMemo(countryChoices, []);
  const found = useOp('searchLists', asked ?? {}, { enabled: asked !== undefined });
  const badBorn = born.trim() !== '' && !bornForm.test(born.trim());
  function submit(event: FormEvent) {
    event.preventDefault();
    if (badBorn) return;
    const [n, v] = [name.trim(), value.trim()];
    const of = {
      ...(n ? { name: n } : {}),
      ...(n && born.trim() ? { born: born.trim() } : {}),
      ...(n && country ? { countryCode: country } : {}),
      ...(v ? { kind: kind as 'wallet', value: v } : {}),
    };
    setAsked(n || v ? of : undefined);
  }
  return (
    <Stack>
      <Panel title={say('Search all lists')}>
        <Box component="form" role="search" aria-label={say('All lists')} onSubmit={submit} noValidate>
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
            <TextInput
              label={say('Name')}
              description={say('In any script and order of words')}
              autoComplete="off"
              maxLength={300}
              value={name}
              onChange={(e) => setName(e.currentTarget.value)}
            />
            <TextInput
              label={say('Born')}
              description={say('A year, a month or a day')}
              placeholder="1980-02-01"
              autoComplete="off"
              value={born}
              onChange={(e) => setBorn(e.currentTarget.value)}
              error={badBorn ? say('Such as 1980, 1980-02 or 1980-02-01') : undefined}
            />
            <Select
              label={say('Country')}
              description={say('Adds to the score, or takes away')}
              placeholder={say('Any')}
              searchable
              clearable
              data={countries}
              value={country}
              onChange={setCountry}
            />
            <Select
              label={say('Kind of exact value')}
              allowDeselect={false}
              data={options(keyKinds)}
              value={kind}
              onChange={(v) => setKind(v ?? 'wallet')}
            />
            <TextInput
              label={say('Exact value')}
              autoComplete="off"
              maxLength={200}
              value={value}
              onChange={(e) => setValue(e.currentTarget.value)}
            />
            <Group align="flex-end">
              <Button type="submit" loading={found.isFetching}>
                {say('Search')}
              </Button>
            </Group>
          </SimpleGrid>
        </Box>
      </Panel>
      {found.error ? <Problem error={found.error} retry={() => void found.refetch()} /> : null}
      {asked && found.data ? <Found hits={found.data.items} /> : null}
    </Stack>
  );
}

function Found({ hits }: { readonly hits: readonly Hit[] }) {
  return (
    <Panel title={plural(hits.length, '{n} entry matches', '{n} entries match')}>
      {hits.length === 0 ? (
        <Empty title={say('Nothing matches')}>{say('Nothing of this search was recorded.')}</Empty>
      ) : null}
      <Stack gap="lg">
        {hits.map((h, i) => (
          <section key={`${h.list} ${h.entry.ref} ${h.fields[0]?.field}`} aria-labelledby={`hit-${i}`}>
            <Group gap={8} wrap="wrap">
              <Title order={3} id={`hit-${i}`}>
                {h.name || h.entry.names[0]?.name || h.entry.ref}
              </Title>
              <StatusBadge status="SCORE" tone={h.purpose === 'ALLOW' ? 'good' : 'bad'} label={percent(h.score)} />
            </Group>
            <Text size="sm" c="dimmed" mb={4}>
              {rich('{link} · {purposes} · entry {ref}{births}{countries}{programmes}', {
                link: (
                  <Anchor component={Link} to={`/lists/${h.list}`} inherit underline="always">
                    {h.list}
                  </Anchor>
                ),
                purposes: purposes[h.purpose],
                ref: h.entry.ref,
                births:
                  h.entry.births.length > 0
                    ? `${between}${say('born {births}', { births: h.entry.births.join(', ') })}`
                    : '',
                countries:
                  h.entry.countries.length > 0 ? `${between}${h.entry.countries.map(countryName).join(', ')}` : '',
                programmes: h.entry.programmes.length > 0 ? `${between}${h.entry.programmes.join(', ')}` : '',
              })}
            </Text>
            <Scores of={h.fields} label={say('Score of {ref} of {list}', { ref: h.entry.ref, list: h.list })} />
          </section>
        ))}
      </Stack>
    </Panel>
  );
}
