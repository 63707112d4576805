// Why a transaction was approved or declined, and what would have changed that.
import { Anchor, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ClientName } from '../../components/client-name.tsx';
import { Facts } from '../../components/facts.tsx';
import { absolute } from '../../data/moments.ts';
import { useActorNames } from '../../data/people.ts';
import { usePsp } from '../../data/psp.tsx';
import { useOp } from '../../data/use-op.ts';
import type { Evidenced } from './parts.ts';

export function Decision({ transaction: t }: { readonly transaction: Evidenced }) {
  const { decision } = t;
  return (
    <>
      <Text mb="sm">{why(t)}</Text>
      <Facts
        items={[
          ['Tax date', `${decision.localDate}, ${t.countryCode}`],
          ['Tax data version', decision.taxDataset],
          ['Client', <ClientName key="client" id={t.clientId} link />],
          ['Recorded by', <ClientName key="by" id={t.recordedBy} link />],
        ]}
      />
      {t.observations.length > 0 ? (
        <>
          <Text fw={600} size="sm" mt="md" mb={4}>
            Observations
          </Text>
          <List size="sm" spacing={4}>
            {t.observations.map((o) => (
              <List.Item key={`${o.code}${o.field}`}>
                {o.message} <Text span inherit c="dimmed">{`(${o.code})`}</Text>
              </List.Item>
            ))}
          </List>
        </>
      ) : null}
      <Text fw={600} size="sm" mt="md" mb={4}>
        What would change it
      </Text>
      <WhatWould transaction={t} />
    </>
  );
}

function why(t: Evidenced): string {
  if (t.status === 'PENDING') return 'Not decided yet: a basket was submitted and its payment is awaited.';
  if (t.status === 'APPROVED') return 'Approved: the client and its PSP were in acceptable standing at the time.';
  return t.decision.reason ? `Declined: ${t.decision.reason}.` : 'Declined by the PSP.';
}

/** The client's current standing decides the next call. */
function WhatWould({ transaction: t }: { readonly transaction: Evidenced }) {
  const { pspId } = usePsp();
  const own = t.clientId.startsWith('psp_');
  const status = useOp('verifyClientStatus', {}, { clientId: own ? undefined : t.clientId });
  const sale = t.type === 'verifyTransaction';
  const nameOf = useActorNames();
  if (status.error)
    return (
      <Text size="sm" c="dimmed">
        The client's current standing could not be loaded{pspId ? '' : ' without a PSP'}.
      </Text>
    );
  const now = status.data;
  if (!now) return <Text size="sm">Loading the client's current standing…</Text>;
  const blocking = now.flags.filter((f) => f.blocking);
  const placed = (f: (typeof blocking)[number]) =>
    [
      f.setBy ? `, placed by ${nameOf(f.setBy)} on ${absolute(f.since)}` : '',
      f.shownToClient
        ? `; the client sees “${f.shownToClient.reason}”`
        : f.shownToClient === null
          ? '; the client sees nothing of it'
          : '',
    ].join('');
  const faults = [
    ...(now.operationalStanding === 'ACTIVE' ? [] : [`the client is ${now.operationalStanding.toLowerCase()}`]),
    ...blocking.map((f) => `a hold blocks it: ${f.reason} (${f.code})${placed(f)}`),
    ...now.requirements.currentlyDue.map(
      (due) => `still due: ${due.replace('verificationLevel:', 'verification level ')}`,
    ),
  ];
  return (
    <List size="sm" spacing={4}>
      {t.status === 'DECLINED' && now.acceptable ? (
        <List.Item>
          {sale
            ? 'The client is in acceptable standing now: verifying the same ref again decides it again, and approves it.'
            : 'The client is in acceptable standing now: the same call under a new ref would be approved. This ref keeps its answer.'}
        </List.Item>
      ) : null}
      {t.status === 'APPROVED' && now.acceptable ? (
        <List.Item>
          It would have been declined had the client or its PSP been suspended, closed or on a blocking hold, or its
          verification level been below what is required. None of this applies today.
        </List.Item>
      ) : null}
      {now.acceptable ? null : (
        <List.Item>
          Now the client may not trade{faults.length > 0 ? `: ${faults.join('; ')}` : ', as its PSP may not'}.{' '}
          {t.status === 'DECLINED'
            ? 'Once that is resolved, the transaction can be approved.'
            : 'The same call under another ref would be declined.'}
        </List.Item>
      )}
      {t.status === 'DECLINED' && !own ? (
        <List.Item>
          <Anchor
            component={Link}
            to="/audit"
            search={{ clientId: t.clientId, kind: 'client.updated' } as never}
            inherit
            underline="always"
          >
            Who changed the client's standing and holds, and when
          </Anchor>
        </List.Item>
      ) : null}
      {t.chargeback ? <List.Item>It was charged back: it can be neither declined nor verified again.</List.Item> : null}
      <List.Item>
        The split follows from the country, the local day, the client's classification, the merchant category and the
        amounts; another of these may choose other rules.
      </List.Item>
    </List>
  );
}
