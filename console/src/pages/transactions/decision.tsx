// Why a transaction was approved or declined, and what would have changed that.

import { Anchor, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ClientName } from '../../components/client-name.tsx';
import { Facts } from '../../components/facts.tsx';
import { inWords } from '../../components/status-badge.tsx';
import { capitalized } from '../../data/capitalized.ts';
import { countryName } from '../../data/countries.ts';
import { isIdOf } from '../../data/id-kind.ts';
import { absolute, dayInWords } from '../../data/moments.ts';
import { useNow } from '../../data/now.ts';
import { useActorNames } from '../../data/people.ts';
import { usePsp } from '../../data/psp.tsx';
import { useOp } from '../../data/use-op.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import type { Evidenced } from './parts.ts';

export function Decision({ transaction: t }: { readonly transaction: Evidenced }) {
  const { decision } = t;
  return (
    <>
      <Text mb="sm">{why(t)}</Text>
      <Facts
        items={[
          [say('Tax date'), `${dayInWords(decision.localDate)}, ${countryName(t.countryCode)}`],
          [say('Tax data version'), decision.taxDataset],
          [say('Client'), <ClientName key="client" id={t.clientId} link />],
          [say('Recorded by'), <ClientName key="by" id={t.recordedBy} link />],
          !!decision.riskRules?.length && [
            say('Risk rules that matched'),
            decision.riskRules.map((r) => (
              <div key={r.rule}>
                <Anchor component={Link} to={`/risk/${r.rule}`} inherit>
                  {r.rule}
                </Anchor>
              </div>
            )),
          ],
        ]}
      />
      {t.observations.length > 0 ? (
        <>
          <Text fw={600} size="sm" mt="md" mb={4}>
            {say('Observations')}
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
        {say('What would change it')}
      </Text>
      <WhatWould transaction={t} />
    </>
  );
}

function why(t: Evidenced): string {
  if (t.status === 'PENDING') return say('Not decided yet: a basket was submitted and its payment is awaited.');
  if (t.status === 'APPROVED') return say('Approved: the client and its PSP were in acceptable standing at the time.');
  if (t.decision.walletHoldId)
    return say('Declined: its wallet was on hold. The client reads that the risk policy does not allow it.');
  const { reason } = t.decision;
  if (!reason) return say('Declined by the PSP.');
  // What the client or its PSP declined itself says so: “declined by the client”.
  if (reason.toLowerCase().startsWith(inWords('DECLINED').toLowerCase())) return `${capitalized(reason)}.`;
  return say('Declined: {reason}.', { reason });
}

/** The client's current standing decides the next call. */
function WhatWould({ transaction: t }: { readonly transaction: Evidenced }) {
  const { pspId } = usePsp();
  const own = isIdOf('psp', t.clientId);
  const status = useOp('verifyClientStatus', {}, { clientId: own ? undefined : t.clientId });
  const sale = t.type === 'verifyTransaction';
  const nameOf = useActorNames();
  const at = useNow();
  if (status.error)
    return (
      <Text size="sm" c="dimmed">
        {rich("The client's current standing could not be loaded{pspId}.", {
          pspId: pspId ? '' : ` ${say('without a PSP')}`,
        })}
      </Text>
    );
  const now = status.data;
  if (!now) return <Text size="sm">{say("Loading the client's current standing…")}</Text>;
  const blocking = now.flags.filter((f) => f.blocking && Date.parse(f.since) <= at);
  const placed = (f: (typeof blocking)[number]) =>
    [
      f.setBy ? `, ${say('placed by {setBy} on {since}', { setBy: nameOf(f.setBy), since: absolute(f.since) })}` : '',
      f.shownToClient
        ? say('; the client sees “{reason}”', { reason: f.shownToClient.reason })
        : f.shownToClient === null
          ? say('; the client sees nothing of it')
          : '',
    ].join('');
  const faults = [
    ...(now.operationalStanding === 'ACTIVE'
      ? []
      : [
          say('the client is {operationalStanding}', {
            operationalStanding: inWords(now.operationalStanding).toLowerCase(),
          }),
        ]),
    ...blocking.map((f) =>
      say('a hold blocks it: {reason} ({code}){placed}', { reason: f.reason, code: f.code, placed: placed(f) }),
    ),
    ...now.requirements.currentlyDue.map((due) =>
      say('still due: {due}', { due: due.replace('verificationLevel:', 'verification level ') }),
    ),
  ];
  return (
    <List size="sm" spacing={4}>
      {t.decision.riskCode ? (
        <List.Item>
          {t.decision.walletHoldId
            ? say(
                'The same call under a new ref is approved once no hold of the wallet is in force. This ref keeps its answer.',
              )
            : say(
                'The same call under a new ref is decided by the risk rules that decline then. This ref keeps its answer.',
              )}
        </List.Item>
      ) : null}
      {t.status === 'DECLINED' && now.acceptable && !t.decision.riskCode ? (
        <List.Item>
          {sale
            ? say(
                'The client is in acceptable standing now: verifying the same ref again decides it again, and approves it.',
              )
            : say(
                'The client is in acceptable standing now: the same call under a new ref would be approved. This ref keeps its answer.',
              )}
        </List.Item>
      ) : null}
      {t.status === 'APPROVED' && now.acceptable ? (
        <List.Item>
          {say(
            'It would have been declined had the client or its PSP been suspended, closed or on a blocking hold, or its verification level been below what is required. None of this applies today.',
          )}
        </List.Item>
      ) : null}
      {now.acceptable ? null : (
        <List.Item>
          {rich('Now the client may not trade{faults}. {status}', {
            faults: faults.length > 0 ? say(': {faults}', { faults: faults.join('; ') }) : say(', as its PSP may not'),
            status:
              t.status === 'DECLINED'
                ? say('Once that is resolved, the transaction can be approved.')
                : say('The same call under another ref would be declined.'),
          })}
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
            {say("Who changed the client's standing and holds, and when")}
          </Anchor>
        </List.Item>
      ) : null}
      {t.chargeback ? (
        <List.Item>{say('It was charged back: it can be neither declined nor verified again.')}</List.Item>
      ) : null}
      <List.Item>
        {say(
          "The split follows from the country, the local day, the client's classification, the merchant category and the amounts; another of these may choose other rules.",
        )}
      </List.Item>
    </List>
  );
}
