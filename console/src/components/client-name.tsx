// A client or PSP by its name, or by its id if the name is unknown; optionally a link to its page.

import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useClientName } from '../data/clients.ts';
import { isIdOf } from '../data/id-kind.ts';
import { usePsp } from '../data/psp.tsx';
import { useIsClient } from '../data/session.tsx';
import { say } from '../words/words.ts';
import { Id } from './id.tsx';
import { Nothing } from './nothing.tsx';

interface Props {
  readonly id: string | null | undefined;
  /** Its name, where the record has it: it is not read again. */
  readonly known?: string | null;
  readonly link?: boolean;
}

export function ClientName({ id, known, link = false }: Props) {
  const read = useClientName(known ? undefined : id);
  const name = known ?? read;
  const isClient = useIsClient();
  const { ready } = usePsp();
  if (!id) return <Nothing />;
  if (isClient && isIdOf('psp', id)) return <span title={id}>{say('your PSP')}</span>;
  const to =
    !link || !isIdOf('client', id) ? undefined : isClient ? '/account' : ready ? `/clients/${id}` : `/go/${id}`;
  if (!name) return <Id value={id} what={say('client id')} copy={link} {...(to ? { to } : {})} />;
  // A name from right to left must not take the figures beside it along.
  if (!to)
    return (
      <span dir="auto" title={id}>
        {name}
      </span>
    );
  return (
    <Anchor component={Link} to={to} inherit underline="always" dir="auto" title={id}>
      {name}
    </Anchor>
  );
}
