// The tests that do not apply where the database is the coordinator of a Citus cluster (CITUS_URL), each with the reason.
// All others run there as they are. Only such a run loads this file.
import { beforeEach } from 'vitest';

const notOnCitus: readonly { readonly file: string; readonly test: RegExp; readonly why: string }[] = [
  {
    file: 'api/commit-forms.test.ts',
    test: /^a batch of several PSPs/,
    why: 'the committer sends the parts of several PSPs one by one, each by the form for one PSP',
  },
  {
    file: 'api/commit-forms.test.ts',
    test: /^a batch of a place .*changes no account/,
    why: 'an account is of no place; on a cluster its change is committed by the form for one PSP',
  },
  {
    file: 'durability/deadlock-victim.test.ts',
    test: /is asked again while a key is read/,
    why: 'of the two Citus ends the one that locks on several servers, which is never the read',
  },
  {
    file: 'webhooks/follower.test.ts',
    test: /cost one reading of the journal/,
    why: 'on a cluster what follows a commit is done PSP by PSP',
  },
  {
    file: 'reports/rate-correction.test.ts',
    test: /leaves nothing of a portion whose process lost its database/,
    why: 'the commit that it cuts off waits on a worker; durability/network.test.ts cuts such commits off',
  },
  {
    file: 'upgrade/side-by-side.test.ts',
    test: /have the day of every decision/,
    why: 'no version that leaves the day to a trigger has run on a cluster',
  },
];

beforeEach(({ task, skip }) => {
  const found = notOnCitus.find((n) => task.file.name.endsWith(n.file) && n.test.test(task.fullTestName));
  if (found) skip(found.why);
});
