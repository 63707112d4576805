// The keys that work in the console, shown with ?.

import { Group, Kbd, Modal, Table } from '@mantine/core';
import { useIsOpen, useSearchState } from '../data/search-state.tsx';
import { say } from '../words/words.ts';
import { usePageKeys } from './shortcuts.ts';

const keys: readonly { readonly of: readonly string[]; readonly what: string }[] = [
  { of: [say('Ctrl'), 'K'], what: say('Search everything, also while typing') },
  { of: ['/'], what: say('Search everything') },
  { of: ['?'], what: say('Show these keys') },
  { of: ['↑', '↓'], what: say('Move among what the search found') },
  { of: [say('Enter')], what: say('Open it') },
  { of: [say('Esc')], what: say('Close, and go back to where you were') },
];

export function KeysDialog() {
  const { show } = useSearchState();
  const opened = useIsOpen('keys');
  const pageKeys = usePageKeys();
  return (
    <Modal opened={opened} onClose={() => show(undefined)} closeOnClickOutside title={say('Keys')}>
      <Table aria-label={say('Keys')}>
        <Table.Tbody>
          {[...keys, ...pageKeys.map((p) => ({ of: ['g', p.letter], what: p.title }))].map((k) => (
            <Table.Tr key={k.of.join(' ')}>
              <Table.Th scope="row" w={120}>
                <Group gap={4} wrap="nowrap">
                  {k.of.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </Group>
              </Table.Th>
              <Table.Td>{k.what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
