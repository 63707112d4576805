// The taxes of a wager or payout: those due at once, and its part of periodic returns.

import { Text } from '@mantine/core';
import { Empty } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { TaxEvidenceList } from '../../components/tax-evidence.tsx';
import type { Content } from '../../data/assay.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';

/** What `expand=tax` adds to a wager or a payout. */
export type GamingEvidence = Required<Pick<Content<'getWager'>, 'localDate' | 'tax' | 'accruals'>>;

interface Props {
  readonly record: GamingEvidence & { readonly currency: string };
  /** Path that lists the rows taxed by a rule. */
  readonly list: string;
}

export function GamingTaxes({ record: r, list }: Props) {
  const rowsTo = (rule: string) => `${list}?rule=${encodeURIComponent(rule)}`;
  return (
    <>
      <Panel title={say('Taxes of this record')}>
        {r.tax.length > 0 ? (
          <TaxEvidenceList taxes={r.tax} currency={r.currency} rowsTo={rowsTo} />
        ) : (
          <Empty title={say('No tax on this record')}>
            {rich('No rule in force on {localDate} taxes a record like this on its own.', { localDate: r.localDate })}
          </Empty>
        )}
      </Panel>
      {r.accruals.length > 0 ? (
        <Panel title={say('Taxed by periodic return')}>
          <Text size="sm" c="dimmed" mb="sm">
            {say(
              'These taxes are worked out over a period, as on gross gaming revenue; a record adds to what they are charged on.',
            )}
          </Text>
          <TaxEvidenceList taxes={r.accruals} currency={r.currency} rowsTo={rowsTo} />
        </Panel>
      ) : null}
    </>
  );
}
