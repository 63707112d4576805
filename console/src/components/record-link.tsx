// A link to a record of any PSP by its id, shortened; the whole id is its title. Ids of other kinds are looked up by /go.
import { Anchor } from '@mantine/core';
import { shortened } from '../data/places.ts';
import { pageOf } from '../data/psp-address.ts';

const places: Readonly<Record<string, string>> = { txn: 'transactions', wgr: 'gaming/wagers', pyt: 'gaming/payouts' };

export function RecordLink({ pspId, recordId: id }: { readonly pspId: string; readonly recordId: string }) {
  const place = places[id.slice(0, 3)];
  return (
    <Anchor href={`/console${place ? pageOf(pspId, `/${place}/${id}`) : `/go/${id}`}`} title={id} size="sm">
      {shortened(id)}
    </Anchor>
  );
}
