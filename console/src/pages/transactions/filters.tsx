// The filters above the list of transactions; on narrow screens all but the search are behind a button.

import { Button, Collapse, Group, SimpleGrid, Stack } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react';
import { useMemo } from 'react';
import { AnyOf } from '../../components/any-of.tsx';
import { ClientSelect } from '../../components/client-select.tsx';
import { DayFilters } from '../../components/day-filters.tsx';
import { FilterMarks } from '../../components/filter-marks.tsx';
import { TextFilter } from '../../components/text-filter.tsx';
import { readAmount, readCode } from '../../data/amounts.ts';
import { countryChoices } from '../../data/countries.ts';
import { isIdOf } from '../../data/id-kind.ts';
import type { Filters } from '../../data/path.ts';
import { say } from '../../words/words.ts';
import { isFiltered, marks, without } from './query.ts';
import { chargebacks, choices, declineCauses, statuses, types } from './words.ts';

interface Props {
  readonly filters: Filters;
  readonly set: (change: Filters) => void;
}

/** A pasted amount with a currency also filters by that currency. */
const currencyIn = (typed: string): Filters => {
  const currency = readAmount(typed)?.currency;
  return currency ? { currency } : {};
};
const readText = (text: string): string | undefined => readAmount(text)?.amount;

export function TransactionFilters({ filters, set }: Props) {
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const [opened, { toggle }] = useDisclosure(false);
  return (
    <Stack gap="sm" px="md" pb="md" component="search" aria-label={say('Transactions')}>
      <Group align="flex-end" gap="sm">
        <TextFilter
          of="q"
          sets={(q) => (isIdOf('client', q) ? { q: undefined, clientId: q } : { q })}
          label={say('Search')}
          placeholder={say('Start of a ref or transaction id, or a client id')}
          leftSection={<IconSearch size={16} aria-hidden />}
          style={{ flex: 1, minWidth: 200 }}
        />
        {narrow ? (
          <Button
            variant="default"
            leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
            onClick={toggle}
            aria-expanded={opened}
          >
            {say('Filters')}
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
      {isFiltered(filters) ? (
        <FilterMarks of={marks}>
          <Button size="compact-sm" variant="subtle" onClick={() => set(without)}>
            {say('Clear all filters')}
          </Button>
        </FilterMarks>
      ) : null}
    </Stack>
  );
}

function Fields({ filters, set }: Props) {
  const countries = useMemo(countryChoices, []);
  return (
    <SimpleGrid cols={{ base: 2, sm: 4, lg: 6 }} spacing="sm" verticalSpacing="xs">
      <AnyOf of="status" label={say('Status')} clear={say('Any status')} data={choices(statuses)} />
      <AnyOf of="type" label={say('Type')} clear={say('Any type')} data={choices(types)} />
      <ClientSelect value={filters.clientId} onChange={(clientId) => set({ clientId })} />
      <TextFilter
        of="amountFrom"
        sets={(amountFrom, typed) => ({ amountFrom, ...currencyIn(typed) })}
        label={say('Amount from')}
        placeholder="0"
        inputMode="decimal"
        read={readText}
      />
      <TextFilter
        of="amountTo"
        sets={(amountTo, typed) => ({ amountTo, ...currencyIn(typed) })}
        label={say('Amount to')}
        placeholder={say('Any')}
        inputMode="decimal"
        read={readText}
      />
      <TextFilter
        of="currency"
        label={say('Currency')}
        placeholder={say('Any')}
        read={readCode}
        wrong={say('A code, such as NGN')}
      />
      <AnyOf
        of="countryCode"
        label={say('Country')}
        clear={say('Any country')}
        searchable
        data={countries}
        nothingFoundMessage={say('No such country')}
      />
      <AnyOf of="declinedFor" label={say('Declined for')} any={say('Any reason')} data={choices(declineCauses)} />
      <AnyOf
        of="chargedBack"
        label={say('Chargeback')}
        clear={say('With or without a chargeback')}
        data={choices(chargebacks)}
      />
      <DayFilters filters={filters} set={set} />
    </SimpleGrid>
  );
}
