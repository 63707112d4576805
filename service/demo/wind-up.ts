// What a demo world ends with: reviews somebody has worked on, reports of its months, stories, and a PSP's first tests.
import type { Input } from '@assay/client';
import type { Event } from './plan.ts';
import type { Stage } from './play.ts';
import { workOnReviews } from './reviews.ts';
import type { Settled } from './settle-in.ts';
import { tellStories } from './stories.ts';
import { until } from './until.ts';

/** Waits until the totals hold all that was recorded. */
export const settled = (all: readonly Settled[], month: string): Promise<void> =>
  until(async () => {
    const days = { dayFrom: `${month}-01`, dayTo: `${month}-01` };
    const lags = await Promise.all(all.map((s) => s.api.listTotals(days)));
    return lags.every((t) => t.entriesBehind === 0);
  }, 'the totals');

/** @param nowMs the end of the world's last day */
export async function windUp(stage: Stage, events: readonly Event[], nowMs: number): Promise<void> {
  const months = monthsOf(stage.startMs, nowMs);
  await settled(stage.settled, months.at(-1) as string);
  for (const s of stage.settled) {
    await workOnReviews(s, events);
    await makeReports(s, months);
  }
  await tellStories(stage, events, months, nowMs);
  const [first] = stage.settled;
  if (first) await tryTests(stage, first);
}

const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);

/** The last month that began within the world's time, and the one before it. */
const monthsOf = (startMs: number, nowMs: number): string[] =>
  [...new Set([monthOf(startMs), monthOf(nowMs)])].slice(-2);

type Asked = Input<'createReport'>;

async function makeReports({ api, house, clients }: Settled, months: readonly string[]): Promise<void> {
  if ((await api.listReports({ limit: 1 })).items.length > 0) return;
  const trades = new Set(house.merchants.map((m) => m.trade));
  const kinds: Asked['kind'][] = [
    'vatReturn',
    'feeStatement',
    'settlement',
    'chargebacks',
    ...(trades.has('gaming') ? (['ggrDuty'] as const) : []),
    ...(trades.has('crypto') ? (['cryptoActivity'] as const) : []),
  ];
  const ids: string[] = [];
  for (const period of months)
    for (const kind of kinds) {
      const country = kind === 'vatReturn' ? { countryCode: house.country } : {};
      ids.push((await api.createReport({ kind, period, ...country } as Asked)).reportId);
    }
  for (const m of house.merchants.filter((x) => x.network))
    for (const period of months)
      ids.push(
        (await api.createReport({ kind: 'cdrTax', period } as Asked, { clientId: clients.get(m.code) })).reportId,
      );
  for (const reportId of ids)
    await until(
      async () => ['DONE', 'FAILED'].includes((await api.getReport({ reportId })).state),
      `the report ${reportId}`,
    );
}

/** A test key and what a PSP's first tests look like. */
async function tryTests({ staff, connect }: Stage, { house, pspId }: Settled): Promise<void> {
  const { apiKey } = await staff.issueKey({ accountId: pspId, name: 'integration', mode: 'test' });
  const tests = connect(apiKey);
  for (const ref of ['order-1', 'decline-1', 'order-2', 'decline-2'])
    await tests.verifyTransaction({
      ref,
      totalAmount: '107.50',
      currency: house.currency,
      countryCode: house.country,
      paymentMethods: { card: '107.50' },
      transactionFee: '1.50',
    });
}
