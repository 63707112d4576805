// The fields above the list of transactions; on a narrow page all but the search wait behind a button.
import { Button, Collapse, Group, Pill, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react';
import { ClientSelect } from '../../components/client-select.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import type { Filters } from '../../data/path.ts';
import { isFiltered, marks, without } from './query.ts';
import { choices, statuses, types } from './words.ts';

interface Props {
  readonly filters: Filters;
  readonly set: (change: Filters) => void;
}

const decimal = '\\d{1,20}(\\.\\d{1,18})?';

export function TransactionFilters({ filters, set }: Props) {
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const [opened, { toggle }] = useDisclosure(false);
  return (
    <Stack gap="sm" px="md" pb="md" component="search" aria-label="Transactions">
      <Group align="flex-end" gap="sm">
        <TextFilter
          label="Search"
          placeholder="How a ref or a transaction id begins, or a client id"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={filters.q}
          onChange={(q) => set(q?.startsWith('cli_') ? { q: undefined, clientId: q } : { q })}
          style={{ flex: 1, minWidth: 200 }}
        />
        {narrow ? (
          <Button
            variant="default"
            leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
            onClick={toggle}
            aria-expanded={opened}
          >
            Filters
          </Button>
        ) : null}
      </Group>
      {narrow ? (
        <Collapse expanded={opened}>
          <Fields filters={filters} set={set} />
        </Collapse>
      ) : (
        <Fields filters={filters} set={set} />
      )}
      <Marks filters={filters} set={set} />
    </Stack>
  );
}

function Fields({ filters, set }: Props) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 4, lg: 7 }} spacing="sm" verticalSpacing="xs">
      <Select
        label="Status"
        placeholder="Any"
        clearable
        clearButtonProps={{ 'aria-label': 'Any status' }}
        data={choices(statuses)}
        value={filters.status ?? null}
        onChange={(v) => set({ status: v ?? undefined })}
      />
      <Select
        label="Type"
        placeholder="Any"
        clearable
        clearButtonProps={{ 'aria-label': 'Any type' }}
        data={choices(types)}
        value={filters.type ?? null}
        onChange={(v) => set({ type: v ?? undefined })}
      />
      <ClientSelect value={filters.clientId} onChange={(clientId) => set({ clientId })} />
      <TextFilter
        label="Amount from"
        placeholder="0"
        inputMode="decimal"
        pattern={decimal}
        value={filters.amountFrom}
        onChange={(amountFrom) => set({ amountFrom })}
      />
      <TextFilter
        label="Amount to"
        placeholder="Any"
        inputMode="decimal"
        pattern={decimal}
        value={filters.amountTo}
        onChange={(amountTo) => set({ amountTo })}
      />
      <TextInput
        type="date"
        label="From (UTC)"
        value={filters.from ?? ''}
        max={filters.to}
        onChange={(e) => set({ from: e.currentTarget.value })}
      />
      <TextInput
        type="date"
        label="Up to (UTC)"
        value={filters.to ?? ''}
        min={filters.from}
        onChange={(e) => set({ to: e.currentTarget.value })}
      />
    </SimpleGrid>
  );
}

function Marks({ filters, set }: Props) {
  if (!isFiltered(filters)) return null;
  return (
    <Group gap="xs">
      {Object.entries(marks)
        .filter(([name]) => filters[name])
        .map(([name, words]) => (
          <Pill
            key={name}
            withRemoveButton
            onRemove={() => set({ [name]: undefined })}
            removeButtonProps={{ 'aria-label': `Without ${words}`, 'aria-hidden': false, tabIndex: 0 }}
            style={{ maxWidth: '100%' }}
          >
            {words}: {filters[name]}
          </Pill>
        ))}
      <Button size="compact-sm" variant="subtle" onClick={() => set(without)}>
        Clear all filters
      </Button>
    </Group>
  );
}
