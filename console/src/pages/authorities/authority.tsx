// One authority, for staff: what it sees, the end of its access, its people, and what they read.

import { Anchor, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { usePath } from '../../data/path.ts';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp } from '../../data/use-op.ts';
import { Unfetched } from '../../layout/unfetched.tsx';
import { say } from '../../words/words.ts';
import { viewInWords } from '../authority/pages.ts';
import { PeopleTable } from '../people/people-table.tsx';
import { LetIn } from './let-in.tsx';
import { type Authority, asAsked } from './view-fields.ts';

const above = [{ title: say('Authorities'), to: '/authorities' }];

export default function AuthorityPage() {
  const authorityId = usePath('authorityId');
  const { data, error, refetch } = useOp('getAuthority', { authorityId }, { asOperator: true });
  if (error || !data) return <Unfetched title={say('Authority')} above={above} error={error} refetch={refetch} />;
  return <Shown authority={data} />;
}

function Shown({ authority: a }: { readonly authority: Authority }) {
  const may = useMay('changeAuthority');
  const change = useDo('changeAuthority', { asOperator: true, done: say('The access has ended') });
  // A time that has passed, whatever this machine's clock says.
  const end = (reason: string) =>
    change.mutateAsync({ ...asAsked(a), authorityId: a.authorityId, until: '2000-01-01T00:00:00Z', reason });
  return (
    <>
      <PageHeader
        title={a.name}
        above={above}
        actions={
          may ? (
            <Group gap="xs">
              <LetIn authority={a} />
              <ConfirmButton
                label={say('End its access')}
                question={say('End the access of {name}?', { name: a.name })}
                reason="required"
                danger
                onConfirm={end}
              >
                {say('Its people read nothing from that moment on, wherever they are signed in.')}
              </ConfirmButton>
            </Group>
          ) : null
        }
      />
      <Stack>
        <Panel title={say('What it sees')}>
          <Facts
            items={[
              [say('Records'), viewInWords(a)],
              [say('Access ends'), <Stamp key="until" at={a.until} show="both" />],
              [
                say('What its people read'),
                <Anchor key="audit" component={Link} to={`/audit?kind=authority.read&clientId=${a.authorityId}`}>
                  {say('In the audit')}
                </Anchor>,
              ],
            ]}
          />
        </Panel>
        <PeopleTable accountId={a.authorityId} adds reads />
      </Stack>
    </>
  );
}
