// The people who may sign in: their roles, and blocking one.

import { PageHeader } from '../../components/page-header.tsx';
import { useMay, useMe } from '../../data/session.tsx';
import { say } from '../../words/words.ts';
import { PeopleTable } from './people-table.tsx';
import { AddPerson } from './person-dialogs.tsx';

export default function People() {
  const may = useMay('createUser');
  const { account } = useMe();
  return (
    <>
      <PageHeader
        title={say('People')}
        lead={
          account.kind === 'client'
            ? say('Administrators change things, members look.')
            : say(
                'Administrators change things, reviewers decide on reviews and holds, auditors look and take reports.',
              )
        }
        actions={may ? <AddPerson /> : null}
      />
      <PeopleTable accountId={account.kind === 'operator' ? undefined : account.accountId} />
    </>
  );
}
