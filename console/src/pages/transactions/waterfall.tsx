// The split as a waterfall: from the gross amount down to what is settled, and the sum that proves it complete.

import { Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Money } from '../../components/money.tsx';
import { groupDigits } from '../../data/amounts.ts';
import { isZero, laidOut, type Stretch, sumsTo } from '../../data/exact.ts';
import { between, say } from '../../words/words.ts';
import { apart, splitOf } from './split.ts';
import classes from './waterfall.module.css';

export function Waterfall({ transaction: t }: { readonly transaction: Parameters<typeof splitOf>[0] }) {
  const parts = apart(splitOf(t));
  const amounts = parts.map((p) => p.amount);
  const places = laidOut(t.totalAmount, amounts);
  const whole = sumsTo(amounts, t.totalAmount);
  return (
    <figure className={classes.whole} aria-label={say('From gross to settled')}>
      <ol className={classes.rows}>
        <Row
          name={say('Gross')}
          amount={t.totalAmount}
          currency={t.currency}
          kind="gross"
          place={{ from: 0, to: 100 }}
        />
        {parts.map((p, i) => (
          <Row
            key={p.key}
            name={p.name}
            amount={p.amount}
            currency={t.currency}
            kind={p.kind}
            place={places[i] as Stretch}
          />
        ))}
      </ol>
      <figcaption className={classes.sum} data-whole={whole}>
        {whole ? <IconCircleCheck size={18} aria-hidden /> : <IconCircleX size={18} aria-hidden />}
        <Text size="sm" component="div">
          {parts.map((p, i) => (
            <Fragment key={p.key}>
              {i > 0 ? ' + ' : ''}
              <span className={classes.term}>{groupDigits(p.amount, t.currency)}</span>
            </Fragment>
          ))}{' '}
          = <Money amount={t.totalAmount} currency={t.currency} strong />
          <Text span inherit c="dimmed">
            {between}
            {whole ? say('adds up exactly') : say('does not add up')}
          </Text>
        </Text>
      </figcaption>
    </figure>
  );
}

interface RowProps {
  readonly name: string;
  readonly amount: string;
  readonly currency: string;
  readonly kind: string;
  readonly place: Stretch;
}

function Row({ name, amount, currency, kind, place }: RowProps) {
  const leaves = kind === 'tax' || kind === 'fee';
  return (
    <li className={classes.row} data-kind={kind}>
      <span className={classes.name}>{name}</span>
      <span className={classes.lane} aria-hidden="true">
        {isZero(amount) ? null : (
          <span className={classes.bar} style={{ left: `${place.from}%`, width: `${place.to - place.from}%` }} />
        )}
        {kind === 'rest' ? null : <span className={classes.edge} style={{ left: edge(kind, place) }} />}
      </span>
      <span className={classes.amount}>
        {leaves && !isZero(amount) ? <span aria-hidden="true">− </span> : null}
        <Money amount={amount} currency={currency} strong={!leaves} />
      </span>
    </li>
  );
}

/** The dashed line from the end of one bar to the beginning of the next. */
const edge = (kind: string, place: Stretch) => `${kind === 'gross' ? place.to : place.from}%`;
