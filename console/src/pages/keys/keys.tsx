// The API keys of a PSP, and those of all accounts.

import { Button, Tabs } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { PageHeader } from '../../components/page-header.tsx';
import { useFilters } from '../../data/path.ts';
import { usePsp } from '../../data/psp.tsx';
import { useIsClient } from '../../data/session.tsx';
import { say } from '../../words/words.ts';
import { AllKeys } from './all-keys.tsx';
import { KeysPanel } from './keys-panel.tsx';

export default function Keys() {
  const { ready } = usePsp();
  const isClient = useIsClient();
  const [filters, setFilters] = useFilters();
  const shown = filters.of === 'all' ? 'all' : 'own';
  return (
    <>
      <PageHeader
        title={say('API keys')}
        lead={
          isClient
            ? say('Programs call the API with a key. Give each its own, with no more than it needs.')
            : say(
                'Programs call the API with a key. Give each its own, with no more than it needs; keys of a client are on its page.',
              )
        }
        actions={
          ready ? (
            <Button component={Link} to="/requests" variant="default">
              {say('Requests')}
            </Button>
          ) : null
        }
      />
      {isClient ? <KeysPanel /> : null}
      {isClient ? null : ready ? (
        <Tabs
          value={shown}
          onChange={(v) => setFilters({ of: v === 'all' ? 'all' : undefined, unused: undefined, state: undefined })}
          keepMounted={false}
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="own">{say("The PSP's own")}</Tabs.Tab>
            <Tabs.Tab value="all">{say('All accounts')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="own">
            <KeysPanel />
          </Tabs.Panel>
          <Tabs.Panel value="all">
            <AllKeys />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <AllKeys />
      )}
    </>
  );
}
