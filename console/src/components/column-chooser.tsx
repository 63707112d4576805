// Chooses the columns of a list. What is hidden is in the address, so that a link and a saved view show the same columns.

import { Button, Loader, Popover } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { usePart } from '../data/code.ts';
import { useFilters } from '../data/path.ts';
import { useIsClient } from '../data/session.tsx';
import { say } from '../words/words.ts';

const columnChoices = () => import('./column-choices.tsx');

interface Named {
  readonly key: string;
  readonly header: string;
}

/** The first column names the row and stays, as do those without a heading. */
const canHide = (c: Named, i: number): boolean => i > 0 && c.header !== '';

/** The columns that are shown, and a setter of the hidden ones. People of a client see its records alone, so none names it. */
export function useColumns<C extends Named>(listed: readonly C[]) {
  const [filters, set] = useFilters();
  const isClient = useIsClient();
  const all = isClient ? listed.filter((c, i) => i === 0 || c.key !== 'client') : listed;
  const hidden = new Set(filters.hide?.split(','));
  return {
    shown: all.filter((c, i) => !canHide(c, i) || !hidden.has(c.key)),
    choices: all.filter(canHide).map((c) => ({ ...c, isShown: !hidden.has(c.key) })),
    show(key: string, shows: boolean) {
      if (shows) hidden.delete(key);
      else hidden.add(key);
      set({ hide: [...hidden].sort().join(',') });
    },
  };
}

type Choosing = Pick<ReturnType<typeof useColumns>, 'choices' | 'show'>;

export function ColumnChooser({ choices, show }: Choosing) {
  if (choices.length === 0) return null;
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button size="xs" variant="default" leftSection={<IconColumns3 size={14} aria-hidden />}>
          {say('Columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={say('Columns that are shown')}>
        <Choices choices={choices} show={show} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Choices(p: Choosing) {
  const ColumnChoices = usePart(columnChoices, true)?.default;
  return ColumnChoices ? <ColumnChoices {...p} /> : <Loader size="sm" />;
}
