// A search of a name or an exact value over all lists. What is typed may name a person: it is kept out of the address.
import type { Input } from '@assay/client';
import { Anchor, Box, Button, Group, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useMemo, useState } from 'react';
import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { countryChoices, countryName } from '../../data/countries.ts';
import { useOp } from '../../data/use-op.ts';
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
      <Panel title="Search all lists">
        <Box component="form" role="search" aria-label="All lists" onSubmit={submit} noValidate>
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
            <TextInput
              label="Name"
              description="In any script and order of words"
              autoComplete="off"
              maxLength={300}
              value={name}
              onChange={(e) => setName(e.currentTarget.value)}
            />
            <TextInput
              label="Born"
              description="A year, a month or a day"
              placeholder="1980-02-01"
              autoComplete="off"
              value={born}
              onChange={(e) => setBorn(e.currentTarget.value)}
              error={badBorn ? 'Such as 1980, 1980-02 or 1980-02-01' : undefined}
            />
            <Select
              label="Country"
              description="Adds to the score, or takes away"
              placeholder="Any"
              searchable
              clearable
              data={countries}
              value={country}
              onChange={setCountry}
            />
            <Select
              label="Kind of exact value"
              allowDeselect={false}
              data={options(keyKinds)}
              value={kind}
              onChange={(v) => setKind(v ?? 'wallet')}
            />
            <TextInput
              label="Exact value"
              autoComplete="off"
              maxLength={200}
              value={value}
              onChange={(e) => setValue(e.currentTarget.value)}
            />
            <Group align="flex-end">
              <Button type="submit" loading={found.isFetching}>
                Search
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
    <Panel title={hits.length === 1 ? '1 entry matches' : `${hits.length} entries match`}>
      {hits.length === 0 ? <Empty title="Nothing matches">Nothing of this search was recorded.</Empty> : null}
      <Stack gap="lg">
        {hits.map((h, i) => (
          <section key={`${h.list} ${h.entry.ref} ${h.fields[0]?.field}`} aria-labelledby={`hit-${i}`}>
            <Group gap={8} wrap="wrap">
              <Title order={3} id={`hit-${i}`}>
                {h.name || h.entry.names[0]?.name || h.entry.ref}
              </Title>
              <StatusBadge status="SCORE" tone={h.purpose === 'ALLOW' ? 'good' : 'bad'} label={`${h.score}%`} />
            </Group>
            <Text size="sm" c="dimmed" mb={4}>
              <Anchor component={Link} to={`/lists/${h.list}`} inherit underline="always">
                {h.list}
              </Anchor>{' '}
              · {purposes[h.purpose]} · entry {h.entry.ref}
              {h.entry.births.length > 0 ? ` · born ${h.entry.births.join(', ')}` : ''}
              {h.entry.countries.length > 0 ? ` · ${h.entry.countries.map(countryName).join(', ')}` : ''}
              {h.entry.programmes.length > 0 ? ` · ${h.entry.programmes.join(', ')}` : ''}
            </Text>
            <Scores of={h.fields} label={`Score of ${h.entry.ref} of ${h.list}`} />
          </section>
        ))}
      </Stack>
    </Panel>
  );
}
