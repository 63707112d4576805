// The API path of the rows behind a figure of totals.
import { accountWire, type PspId } from '../ids.ts';
import type { TotalKind, TotalVerdict } from './figures.ts';

export interface Opened {
  readonly from: string;
  readonly to: string;
  readonly day?: string | undefined;
  readonly psp: PspId;
  /** UUID. */
  readonly account?: string | undefined;
  readonly country?: string | undefined;
  readonly currency?: string | undefined;
  readonly kind?: string | undefined;
  readonly verdict?: string | undefined;
  readonly productLine?: string | undefined;
  readonly taxRule?: string | undefined;
  readonly feeRule?: string | undefined;
}

const gaming: Readonly<Partial<Record<TotalKind, string>>> = { captureWager: '/v1/wager', capturePayout: '/v1/payout' };

/**
 * @returns undefined if no single list has the rows: wagers with payouts, all verdicts, reversals, chargebacks of all
 * countries
 */
export function openPath(o: Opened): string | undefined {
  const plays = gaming[o.kind as TotalKind];
  const verdict = o.verdict as TotalVerdict | undefined;
  const transactions = verdict !== undefined && verdict !== 'RECORDED' && verdict !== 'REVERSED';
  if (!plays && (!transactions || (verdict === 'CHARGED_BACK' && o.country === undefined))) return undefined;
  const asked: Readonly<Record<string, string | undefined>> = {
    dayFrom: o.day ?? o.from,
    dayTo: o.day ?? o.to,
    countryCode: o.country,
    currency: o.currency,
    clientId: o.account && accountWire(o.psp, o.account),
    rule: o.taxRule,
    ...(plays
      ? { productLine: o.productLine }
      : {
          type: o.kind,
          // A transaction that is charged back keeps the status approved.
          ...(verdict === 'CHARGED_BACK' ? { chargedBack: 'true' } : { status: verdict }),
          fee: o.feeRule || undefined,
        }),
  };
  const query = Object.entries(asked).flatMap(([k, v]) => (v === undefined ? [] : [`${k}=${encodeURIComponent(v)}`]));
  return `${plays ?? '/v1/transaction'}?${query.join('&')}`;
}
