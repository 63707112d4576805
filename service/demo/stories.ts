// What officers, accountants and authorities find in a demo world: a name and a wallet on a list, a player who excluded
// herself, a licence that ends, a dispute, a filed return, declared figures. Each is told once, however often it is run.
import { type Assay, isRefusal } from '@assay/client';
import type { Event, Movement } from './plan.ts';
import { addressOf, type Stage } from './play.ts';
import type { Settled } from './settle-in.ts';
import { until } from './until.ts';

const dayMs = 86_400_000;
const list = 'DEMO_WATCH';
const listed = 'Babatunde Adeyemi Bakare';
const player = { name: 'Simisola Ojo', email: 'simisola.ojo@example.com', phoneNumber: '+2348031204477' };

/** @param nowMs the end of the world's last day; @param months of the world, the last one last */
export async function tellStories(
  { staff, settled }: Stage,
  events: readonly Event[],
  months: readonly string[],
  nowMs: number,
): Promise<void> {
  const [lagos] = settled;
  if (!lagos) return;
  const client = (code: string) => lagos.clients.get(code) as string;
  await listAndMatch(staff, lagos.api, client('nch'));
  await holdOneWallet(lagos.api, client('nch'), events, nowMs);
  await workOnCase(lagos.api, client('nch'));
  await excludeOnePlayer(lagos.api, client('eko'));
  await letLicenceEnd(staff, lagos.api, client('eko'), nowMs);
  await declareCalls(lagos.api, client('lmn'), months[0] as string);
  const monthly = { every: 'MONTH', onDay: 3, hour: 6, timeZone: 'Africa/Lagos' } as const;
  await lagos.api.createReportSchedule({ kind: 'vatReturn', countryCode: 'NG', ...monthly });
  if (months.length > 1) await fileReturn(lagos.api, months[0] as string, nowMs);
  for (const s of settled) await disputeOne(s, nowMs);
}

/** A director's name stands on a list of staff, spelled another way. */
async function listAndMatch(staff: Assay, psp: Assay, clientId: string): Promise<void> {
  const owners = [
    { name: 'Tunde Bakare Adeyemi', sharePercent: '60', dateOfBirth: '1974-05-11', countryCode: 'NG', director: true },
    { name: 'Ifeoma Chukwu', sharePercent: '40', dateOfBirth: '1981-02-27', countryCode: 'NG' },
  ];
  await psp.setClientOwners({ clientId, owners });
  const entry = { ref: 'D-1', names: [listed, 'Tunde Adeyemi Bakare'], births: ['1974'], countryCodes: ['NG'] };
  await staff.putOwnListEntry({ list, ...entry, purpose: 'PEP' });
  await until(async () => (await psp.listMatches({ clientId, limit: 1 })).items.length > 0, 'a match of the list');
}

/** The address that the exchange last paid to is held, and a payment to it tried once more. */
async function holdOneWallet(psp: Assay, clientId: string, events: readonly Event[], nowMs: number): Promise<void> {
  const paid = events.filter((e): e is Movement => e.kind === 'cryptoWithdrawal' && e.merchant.code === 'nch');
  const last = paid.findLast((e) => e.currency !== 'BTC' && !e.flawed);
  if (!last) return;
  const address = addressOf(last);
  const { items } = await psp.listWalletHolds({ limit: 1 });
  if (items.length === 0)
    await psp.holdWallet({
      address,
      reason: 'named in a complaint of a customer',
      until: new Date(nowMs + 60 * dayMs).toISOString(),
    });
  const { currency, amount: totalAmount, fee: transactionFee, customer, digits } = last;
  const body = { totalAmount, currency, customer, countryCode: 'NG', transactionFee, toAddress: address };
  await psp.cryptoWithdrawal({ ref: 'nch-held-1', ...body, blochainHash: `0x${digits}` }, { clientId });
}

/** Somebody has begun to look into the match. */
async function workOnCase(psp: Assay, clientId: string): Promise<void> {
  const found = async () => (await psp.listCases({ limit: 1 }, { clientId })).items[0];
  await until(async () => (await found()) !== undefined, 'the case of the match');
  const { caseId, assignee } = (await found()) ?? {};
  if (!caseId || assignee) return;
  await psp.assignCase({ caseId });
  await psp.noteCase({ caseId, note: 'asked the client for the identity card of its director' });
}

/** A player excludes herself, and bets a day later. */
async function excludeOnePlayer(psp: Assay, clientId: string): Promise<void> {
  await psp.setPlayerPolicy({ exclusions: 'ENFORCE', limits: 'OBSERVE', reason: 'house rule' });
  await psp.excludePlayer({
    subjects: [`email:${player.email}`, `phone:${player.phoneNumber}`],
    source: 'PLAYER',
    clientId,
    reason: 'asked by the player',
  });
  const bet = { ref: 'eko-excluded-1', amount: '500.00', customer: player, ip: '102.89.23.7', type: 'sports' };
  try {
    await psp.captureWager(bet, { clientId });
  } catch (e) {
    if (!isRefusal(e, 'PLAYER_EXCLUDED')) throw e;
  }
}

/** A licence that was accepted ends next week. */
async function letLicenceEnd(staff: Assay, psp: Assay, clientId: string, nowMs: number): Promise<void> {
  if ((await psp.listClientLicences({ clientId })).licences.length > 0) return;
  const { licences } = await psp.setClientLicence({
    clientId,
    activity: 'GAMING',
    authority: 'NLRC',
    number: 'NLRC/OP/0417',
    countryCode: 'NG',
    validUntil: new Date(nowMs + 6 * dayMs).toISOString().slice(0, 10),
  });
  for (const { licenceId } of licences) await staff.acceptClientLicence({ clientId, licenceId });
}

/** The operator declares the VAT of all classes of calls but the last. */
async function declareCalls(psp: Assay, clientId: string, period: string): Promise<void> {
  const totals = () => psp.listCdrTotals({ period, clientId, limit: 200 });
  await until(async () => (await totals()).progress.complete, 'the analysis of the calls');
  const lines = (await totals()).items
    .filter((t) => !t.late)
    .flatMap((t) => {
      const vat = t.taxes.find((x) => x.taxCode === 'VAT');
      const { records, cost: gross, currency } = t;
      return vat ? [{ class: t.class, taxCode: 'VAT', records, gross, tax: vat.tax, currency }] : [];
    });
  if (lines.length > 1) await psp.declareCdr({ period, lines: lines.slice(0, -1) }, { clientId });
}

async function disputeOne({ api }: Settled, nowMs: number): Promise<void> {
  const [open] = (await api.listOutstandingChargebacks({ limit: 1 })).items;
  if (!open || (await api.listDisputes({ limit: 1 })).items.length > 0) return;
  const { disputeId } = await api.openDispute({
    chargebackId: open.chargebackId,
    reason: 'the goods were delivered',
    evidenceDueAt: new Date(nowMs + 12 * dayMs).toISOString(),
  });
  await api.sendDisputeEvidence({ disputeId, text: 'signed for at the door', documents: ['proof-of-delivery.pdf'] });
}

/** The return of the month before this one is made and filed. */
async function fileReturn(psp: Assay, period: string, nowMs: number): Promise<void> {
  if ((await psp.listFilings({ limit: 1 })).items.length > 0) return;
  const { reportId } = await psp.createReport({ kind: 'filing', form: 'NG-VAT', period });
  await until(async () => (await psp.getReport({ reportId })).state === 'DONE', 'the return');
  await psp.fileReturn({
    reportId,
    reference: 'NRS-VAT-0417',
    filedOn: new Date(nowMs).toISOString().slice(0, 10),
  });
}
