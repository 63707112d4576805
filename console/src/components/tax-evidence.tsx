// Why a tax is what it is: its terms, base and amount, the rule, its source, and how far the source was checked.

import type { AccrualEvidence, RuleEvidence, TaxEvidence } from '@assay/client';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { percent } from '../data/amounts.ts';
import { dayInWords } from '../data/moments.ts';
import { baseWords, debtorWords, reasonWords, supplyWords, termsInWords, whyNone } from '../data/tax-words.ts';
import { rich } from '../words/rich.ts';
import { between, named, say } from '../words/words.ts';
import { Facts } from './facts.tsx';
import { Money } from './money.tsx';
import { inWords, StatusBadge, type Tone } from './status-badge.tsx';
import classes from './tax-evidence.module.css';

/** A tax, or an amount added to the base of a periodic tax, as `expand=tax` returns it. */
type TaxLine = RuleEvidence &
  Partial<Pick<TaxEvidence<string>, 'method' | 'owedBy' | 'taxableAmount' | 'tax'>> &
  Partial<Pick<AccrualEvidence<string>, 'contribution' | 'productLine'>>;

const sureness: Record<string, { tone: Tone; words: string }> = {
  official: { tone: 'good', words: say('Official source') },
  secondary: { tone: 'note', words: say('Secondary source') },
  unverified: { tone: 'wait', words: say('Unverified') },
  assumed: { tone: 'wait', words: say('Assumed') },
};

interface Props {
  readonly taxes: readonly TaxLine[];
  readonly currency: string;
  /** Console path that lists the rows taxed by a rule. */
  readonly rowsTo?: (ruleId: string) => string;
}

export function TaxEvidenceList({ taxes, currency, rowsTo }: Props) {
  return (
    <Stack gap="md">
      {taxes.map((t) => (
        <section key={t.ruleId} className={classes.tax} aria-label={say('Tax {ruleId}', { ruleId: t.ruleId })}>
          <Group justify="space-between" gap="xs" mb={2}>
            <Group gap="xs">
              <Text fw={600}>
                {named(t.taxName ?? t.taxCode ?? '') || say('Tax')}
                {t.terms === null ? '' : ` ${termsInWords(t.terms)}`}
              </Text>
              {t.confidence ? (
                <StatusBadge
                  status={t.confidence}
                  label={sureness[t.confidence]?.words ?? t.confidence}
                  tone={sureness[t.confidence]?.tone ?? 'quiet'}
                />
              ) : null}
            </Group>
            <Money amount={t.tax ?? t.contribution} currency={currency} strong />
          </Group>
          <Text size="sm" mb={4} component="div">
            <HowFound tax={t} currency={currency} />
          </Text>
          <Text size="sm" c="dimmed" mb={4}>
            {[
              t.subdivision ?? t.jurisdiction,
              t.category && t.category !== 'none' && say('{category} rate', { category: inWords(t.category) }),
              t.supplies.length > 0 &&
                say('for {supplies}', { supplies: t.supplies.map((s) => supplyWords[s].toLowerCase()).join(', ') }),
              t.base && !t.owedBy && say('on {base}', { base: (baseWords[t.base] ?? inWords(t.base)).toLowerCase() }),
              t.bearer && say('borne by the {bearer}', { bearer: inWords(t.bearer).toLowerCase() }),
              t.productLine && say('product line {productLine}', { productLine: t.productLine }),
            ]
              .filter(Boolean)
              .join(between)}
          </Text>
          <Facts
            items={[
              [
                say('Rule'),
                rowsTo ? (
                  <Anchor key="rule" component={Link} to={rowsTo(t.ruleId)} inherit>
                    {t.ruleId}
                  </Anchor>
                ) : (
                  t.ruleId
                ),
              ],
              [say('Source'), <Source key="source" of={t} />],
              [say('Legal reference'), t.legalRef],
              !!t.endsSoon && [
                say('Ends soon'),
                say('{endsSoon} is its last day, unless it is renewed', { endsSoon: dayInWords(t.endsSoon) }),
              ],
              !!t.says && [say('What it says'), t.says],
              !!t.reason && !(t.reason in whyNone) && [say('Reason'), reasonWords[t.reason] ?? t.reason],
              !!t.note && [say('Note'), t.note],
              [say('Tax data version'), t.dataset],
            ]}
          />
        </section>
      ))}
    </Stack>
  );
}

function HowFound({ tax: t, currency }: { readonly tax: TaxLine; readonly currency: string }) {
  if (t.taxableAmount === undefined)
    return (
      <>
        {rich('Adds {contribution} to what is taxed by periodic return.', {
          contribution: <Money amount={t.contribution} currency={currency} />,
        })}
      </>
    );
  const none = t.reason ? whyNone[t.reason] : undefined;
  if (none) return none;
  // With a limit, a fixed part or brackets the tax is not simply the rate times the amount.
  const inPercent = t.rate !== null && t.terms === `${t.rate} %`;
  const base = <Money amount={t.taxableAmount} currency={currency} />;
  const tax = <Money amount={t.tax} currency={currency} />;
  return (
    <>
      {inPercent
        ? rich('{rate} of {base} is {tax}', { rate: percent(t.rate ?? ''), base, tax })
        : rich('On {base} it is {tax}', { base, tax })}
      {t.owedBy
        ? say(', no part of the amount: {debtor} owes it by a return of the period.', { debtor: debtorWords[t.owedBy] })
        : t.method === 'CONTAINED'
          ? say(', included in the amount.')
          : say(', charged on that value and taken out of the amount.')}
    </>
  );
}

function Source({ of: { source } }: { readonly of: TaxLine }) {
  if (!source) return null;
  const words = `${source.title}, ${source.publisher}`;
  const link = source.url && /^https?:\/\//.test(source.url) ? source.url : undefined;
  return (
    <>
      {link ? (
        <Anchor href={link} target="_blank" rel="noreferrer noopener" inherit>
          {words} <IconExternalLink size={13} aria-label={say('opens in a new tab')} />
        </Anchor>
      ) : (
        words
      )}
      <Text size="xs" c="dimmed">
        {source.publishedOn
          ? rich('published {publishedOn}, read on {retrievedOn}', {
              publishedOn: source.publishedOn,
              retrievedOn: source.retrievedOn,
            })
          : rich('read on {retrievedOn}', { retrievedOn: source.retrievedOn })}
      </Text>
    </>
  );
}
