// The frame around every page: skip link, rail or drawer, top bar, and the main region that takes the focus.

import { AppShell, Burger, Container, Drawer, Group } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { usePart } from '../data/code.ts';
import { usePsp } from '../data/psp.tsx';
import { SearchProvider, useSearchState } from '../data/search-state.tsx';
import { say } from '../words/words.ts';
import { AwayBar } from './away-bar.tsx';
import { useFocusKept } from './focus-kept.ts';
import classes from './frame.module.css';
import { PspGate } from './psp-gate.tsx';
import { PspSwitcher } from './psp-switcher.tsx';
import { Rail } from './rail.tsx';
import { SchemeToggle } from './scheme-toggle.tsx';
import { SearchButton } from './search-button.tsx';
import { useShortcuts } from './shortcuts.ts';
import { TestBar } from './test-bar.tsx';
import { UserMenu } from './user-menu.tsx';

const dialogs = () => Promise.all([import('./search.tsx'), import('./keys-dialog.tsx')]);

export function Frame({ children }: { readonly children: ReactNode }) {
  return (
    <SearchProvider>
      <Framed>{children}</Framed>
    </SearchProvider>
  );
}

function Framed({ children }: { readonly children: ReactNode }) {
  useShortcuts();
  useFocusKept();
  const [opened, { toggle, close }] = useDisclosure(false);
  const wide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false });
  const main = useFocusOnNavigation(close);
  // Links contain the URL's PSP, so they are rendered again when it changes.
  const { pspId } = usePsp();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 228, breakpoint: 'md', collapsed: { mobile: true } }}
      layout="alt"
    >
      <a href="#main" className={classes.skip}>
        {say('Skip to the page')}
      </a>
      <AppShell.Header className={classes.bar}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group wrap="nowrap" gap="xs" style={{ minWidth: 0 }}>
            {wide ? null : (
              <Burger
                opened={opened}
                onClick={toggle}
                size="sm"
                aria-label={say('Navigation')}
                aria-expanded={opened}
              />
            )}
            <PspSwitcher />
          </Group>
          <Group wrap="nowrap" gap="xs">
            <SearchButton />
            <SchemeToggle />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      {wide ? (
        <AppShell.Navbar className={classes.rail}>
          <Rail key={pspId} />
        </AppShell.Navbar>
      ) : (
        <Drawer.Root opened={opened} onClose={close} size={260}>
          <Drawer.Overlay />
          <Drawer.Content aria-label={say('Navigation')} className={classes.rail}>
            <Drawer.Body className={classes.drawer}>
              <Rail key={pspId} />
            </Drawer.Body>
          </Drawer.Content>
        </Drawer.Root>
      )}
      <AppShell.Main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <Container size={1320} px={{ base: 'sm', sm: 'lg' }} py="lg">
          <AwayBar />
          <TestBar />
          <PspGate key={pspId}>{children}</PspGate>
        </Container>
      </AppShell.Main>
      <Dialogs />
    </AppShell>
  );
}

/** The search and the list of keys, loaded when one is first opened. */
function Dialogs() {
  const { open, show } = useSearchState();
  const [search, keys] = usePart(dialogs, open !== undefined, () => show(undefined)) ?? [];
  return search && keys ? (
    <>
      <search.Search />
      <keys.KeysDialog />
    </>
  ) : null;
}

/** A page reached by navigation takes the focus, as a loaded page does; the first page leaves it where it is. */
function useFocusOnNavigation(also: () => void) {
  const path = useRouterState({ select: (s) => s.resolvedLocation?.pathname });
  const main = useRef<HTMLElement>(null);
  const last = useRef(path);
  useEffect(() => {
    if (last.current !== undefined && last.current !== path) {
      also();
      main.current?.focus({ preventScroll: true });
    }
    last.current = path;
  }, [path, also]);
  return main;
}
