// Plays a plan through the public API. What was played before is answered as a repetition, so that a run that was cut off
// is run again; a refusal that says "already so" is one.
import { type Assay, AssayError } from '@assay/client';
import { systemClock } from '../src/platform/clock.ts';
import { callFile } from './call-file.ts';
import { chance } from './chance.ts';
import type { Aftermath, Bet, CallFile, Event, Movement, Sale, Standing, World } from './plan.ts';
import type { Settled } from './settle-in.ts';
import { until } from './until.ts';
import { upload } from './upload.ts';

export interface Stage {
  readonly staff: Assay;
  /** Makes a client of the library for a key. */
  connect(apiKey: string): Assay;
  readonly settled: readonly Settled[];
  /** Host and port of the file drop, where there is one. */
  readonly drop: { readonly host: string; readonly port: number } | undefined;
  /** Time of the world's minute 0. */
  readonly startMs: number;
  /** Moves the service's clock; absent where it cannot be moved. */
  moveTo?(ms: number): void;
  watch?(done: number, total: number, minute: number): void;
}

/** What falls into so many minutes happens at one moment; what rests on something else comes in a later step. */
const stepMinutes = 60;
/** Played at once. The service shares the process, and sheds what waits too long behind more than it can take. */
const atOnce = 32;
/** Refusals of what an earlier run did. */
const alreadySo = new Set(['ALREADY_CHARGED_BACK', 'STATE_CONFLICT', 'NETTING_EXCESS']);

interface Scene {
  readonly world: World;
  readonly stage: Stage;
  readonly s: Settled;
  readonly clientId: string;
  readonly nowMs: number;
}

export async function play(world: World, stage: Stage, events: readonly Event[]): Promise<void> {
  const steps = Map.groupBy(events, (e) => Math.floor(e.minute / stepMinutes));
  let done = 0;
  for (const [step, group] of steps) {
    // Some moment of the step, so that not everything happens on the hour.
    const moment =
      stage.startMs + Math.floor((step + chance(world.seed, String(step)).next()) * stepMinutes * 60) * 1000;
    stage.moveTo?.(moment);
    // Whether somebody may trade is settled before and after, never among, what it decides.
    for (const part of parts(group, atOnce)) {
      await Promise.all(
        part.map((e) => {
          const s = stage.settled.find((x) => x.house === e.house);
          const clientId = s?.clients.get(e.merchant.code);
          if (!s || !clientId) throw new Error(`${e.merchant.name} is not registered`);
          return once(act(e, { world, stage, s, clientId, nowMs: stage.moveTo ? moment : systemClock() }));
        }),
      );
      done += part.length;
      stage.watch?.(done, events.length, step * stepMinutes);
    }
  }
}

function* parts(group: readonly Event[], most: number): Iterable<readonly Event[]> {
  let open: Event[] = [];
  for (const e of group) {
    const alone = e.kind === 'bar' || e.kind === 'free' || e.kind === 'calls';
    if (alone || open.length === most) {
      if (open.length > 0) yield open;
      open = [];
    }
    if (alone) yield [e];
    else open.push(e);
  }
  if (open.length > 0) yield open;
}

async function once(acted: Promise<unknown>): Promise<void> {
  try {
    await acted;
  } catch (e) {
    if (!(e instanceof AssayError && alreadySo.has(e.code))) throw e;
  }
}

function act(e: Event, on: Scene): Promise<unknown> {
  if ('methods' in e) return sell(e, on);
  if ('digits' in e) return move(e, on);
  if ('line' in e) return bet(e, on);
  if ('how' in e) return standing(e, on);
  return 'rows' in e ? sendCalls(e, on) : undo(e, on);
}

/** Hundredths as exact decimal text. */
const text = (hundredths: number): string => (hundredths / 100).toFixed(2);

async function sell(e: Sale, { s, clientId }: Scene): Promise<unknown> {
  const common = {
    totalAmount: text(e.amount),
    currency: e.house.currency,
    countryCode: e.house.country,
    paymentMethods: Object.fromEntries(Object.entries(e.methods).map(([m, n]) => [m, text(n)])),
  };
  const submitted = e.basket
    ? await s.api.submitBasket(
        {
          ref: `${e.ref}-basket`,
          ...common,
          items: e.basket.map((l, i) => ({
            sku: `${e.merchant.code.toUpperCase()}-${i + 1}`,
            title: l.title,
            description: l.title,
            quantity: l.quantity,
            price: text(l.price),
            subTotal: text(l.price * l.quantity),
            ...(l.vatExempt ? { vatExempt: true } : {}),
          })),
        },
        { clientId },
      )
    : undefined;
  return s.api.verifyTransaction(
    {
      ref: e.ref,
      ...common,
      transactionFee: text(e.fee),
      ...(submitted ? { transactionID: submitted.transactionId } : { mcc: e.mcc }),
    },
    { clientId },
  );
}

/** Known addresses with a sound checksum; of the others every hexadecimal text is one. */
const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

export const addressOf = (e: Movement): string => (e.currency === 'BTC' ? bitcoin : `0x${e.digits.slice(0, 40)}`);

function move(e: Movement, { s, clientId }: Scene): Promise<unknown> {
  const body = {
    ref: e.ref,
    totalAmount: e.amount,
    currency: e.currency,
    customer: e.customer,
    countryCode: e.house.country,
    transactionFee: e.fee,
  };
  const coin = {
    ...body,
    blochainHash: e.currency === 'BTC' ? e.digits : `0x${e.digits}`,
  };
  const address = addressOf(e);
  const toAddress = e.flawed ? `${address.slice(0, -2)}q` : address;
  const bank = {
    accountNumber: String(Number.parseInt(e.digits.slice(0, 8), 16)).padStart(10, '0'),
    bankName: 'Demo Bank',
  };
  switch (e.kind) {
    case 'deposit':
      return s.api.deposit(body, { clientId });
    case 'withdrawal':
      return s.api.withdrawal({ ...body, toAddress: bank }, { clientId });
    case 'cryptoDeposit':
      return s.api.cryptoDeposit(coin, { clientId });
    case 'cryptoWithdrawal':
      return s.api.cryptoWithdrawal({ ...coin, toAddress }, { clientId });
  }
}

function bet(e: Bet, { s, clientId }: Scene): Promise<unknown> {
  const body = { amount: text(e.amount), ref: e.ref, customer: e.customer };
  return e.kind === 'wager'
    ? s.api.captureWager({ ...body, ip: e.ip, type: e.line }, { clientId })
    : s.api.capturePayout({ ...body, wagerReference: e.wagerRef }, { clientId });
}

async function undo(e: Aftermath, { s, clientId }: Scene): Promise<unknown> {
  if (e.kind === 'decline') return s.api.declineTransaction({ ref: e.ref }, { clientId });
  if (e.kind === 'chargeback') return s.api.chargeBack({ ref: e.ref }, { clientId });
  const found = async (ref: string) => (await s.api.listTransactions({ ref, limit: 1 }, { clientId })).items[0];
  const [returned, later] = await Promise.all([found(e.ref), found(e.against as string)]);
  if (!returned?.chargeback || !later) return undefined;
  const { id: chargebackId, amounts } = returned.chargeback;
  const { vatAmount = 0, merchantAmount = 0 } = amounts;
  return s.api.netChargeback(
    { ref: `${e.ref}-net`, chargebackId, transactionId: later.transactionId, vatAmount, merchantAmount },
    { clientId },
  );
}

async function standing(e: Standing, { stage, s, clientId }: Scene): Promise<unknown> {
  const { staff } = stage;
  const accountId = clientId;
  if (e.how === 'suspended') {
    const operationalStanding = e.kind === 'bar' ? ('SUSPENDED' as const) : ('ACTIVE' as const);
    return staff.setStanding({
      accountId,
      operationalStanding,
      reason: e.kind === 'bar' ? e.reason : 'review concluded',
    });
  }
  if (e.kind === 'bar') return staff.placeHold({ accountId, code: 'SANCTIONS_REVIEW', reason: e.reason });
  const { flags } = await s.api.getClient({ clientId });
  for (const h of flags)
    if (h.code === 'UNDER_REVIEW' && h.until === null)
      await staff.releaseHold({ accountId, holdId: String(h.id), reason: 'no match' });
  return undefined;
}

async function sendCalls(e: CallFile, { world, stage, s, clientId, nowMs }: Scene): Promise<unknown> {
  if (!stage.drop) return undefined;
  const { name, text: content } = callFile(world, e, nowMs);
  const { username, password, loginId } = await s.api.createSftpCredentials({ name: 'demo' }, { clientId });
  await upload({ ...stage.drop, username, password: password as string }, name, content);
  await s.api.revokeSftpCredentials({ loginId, reason: 'the file was sent' }, { clientId });
  await s.api.pickUpCdrFiles({}, { clientId });
  // Its records are of this hour: the clock goes on when they are all in.
  return until(async () => {
    const { items } = await s.api.listCdrFiles({ limit: 20 }, { clientId });
    return items.some((f) => f.fileName === name && f.completedAt !== null);
  }, `the file ${name} to be taken in`);
}
