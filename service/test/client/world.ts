// A service with records of every kind, made through the client library, and a client for each party.
import { fileURLToPath } from 'node:url';
import { Assay, type Input, type OperationId } from '@assay/client';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { cdrRow, cdrText, dataDirOf, drop } from '../support/cdr-files.ts';
import { startProvider, type TestProvider } from '../support/provider.ts';
import { type Planted, plant } from '../support/webhooks.ts';
import { exampleOf } from './shape.ts';

const xsd = fileURLToPath(new URL('../support/fixtures/cesop-xsd', import.meta.url));

export interface World {
  readonly t: TestApp;
  readonly operator: Assay;
  /** A second operator: what one proposes another decides. */
  readonly other: Assay;
  readonly psp: Assay;
  readonly client: Assay;
  readonly pspAccount: Account;
  readonly clientAccount: Account;
  readonly transactionId: string;
  readonly basketId: string;
  readonly wagerId: string;
  readonly payoutId: string;
  readonly cdrId: string;
  /** With two rejected lines. */
  readonly fileId: string;
  readonly declarationId: string;
  readonly webhookId: string;
  readonly delivery: Planted;
  /** Done. */
  readonly reportId: string;
  /** The documented example of an operation's body, with a ref of its own. */
  example<O extends OperationId>(id: O): Input<O>;
  /** A provider through which staff sign in. */
  readonly provider: TestProvider & { readonly name: string };
  /** A new transaction. */
  sale(): Promise<{ transactionId: string; ref: string }>;
  /** A new person, and a client in whose session that person is. */
  person(): Promise<{ userId: string; email: string; password: string; session: Assay }>;
  /** A report that has ended. */
  made(input: Input<'createReport'>): Promise<string>;
}

let made = 0;
/** A number of its own for each thing that needs one. */
export const next = (): number => ++made;

export type Caller =
  | { readonly key: string }
  | { readonly person: { readonly email: string; readonly password: string; readonly code?: string } };

const callers = new WeakMap<Assay, Caller>();

/** Who calls by a client of this file, for clients in other languages. */
export function callerOf(client: Assay): Caller {
  const caller = callers.get(client);
  if (caller === undefined) throw new Error('the client was not made here');
  return caller;
}

/** Notes the recovery code with which the person of a client signs in elsewhere. */
export function recovers(client: Assay, code: string | undefined): void {
  const caller = callerOf(client);
  if ('person' in caller && code !== undefined) callers.set(client, { person: { ...caller.person, code } });
}

/** A client over the wire of a test's service. */
export function clientOf(t: TestApp, { apiKey }: Pick<Account, 'apiKey'>): Assay {
  const client = new Assay({ baseUrl: t.address, apiKey });
  callers.set(client, { key: apiKey });
  return client;
}

export async function makeWorld(): Promise<World> {
  const t = await makeTestApp({ env: { CESOP_XSD_DIR: xsd, BASE_URL: 'http://localhost:8080' } });
  const pspAccount = await t.makePsp('World Pay', 'DE');
  const staff = await t.makeOperator();
  const operator = clientOf(t, staff);
  const other = clientOf(t, await t.makeOperator());
  const psp = clientOf(t, pspAccount);
  const clientAccount = await t.makeClient(pspAccount);
  const client = clientOf(t, clientAccount);

  const provider = await startProvider(['http://localhost:8080/console/sign-in/provider']);
  const { issuer, clientId, clientSecret } = provider;
  // Its account is known only now, when the settings have been read.
  const named = { name: 'test', label: 'Test', issuer, clientId, clientSecret, account: staff.uuid };
  Object.assign(t.app.services.settings, { signInProviders: [{ ...named, secondFactor: 'never' }] });

  const example = <O extends OperationId>(id: O): Input<O> => {
    const body = exampleOf(id);
    const refs = ['ref', 'cdr_id'].filter((name) => name in body);
    return { ...body, ...Object.fromEntries(refs.map((name) => [name, `own-${next()}`])) } as Input<O>;
  };
  const sale = () => client.verifyTransaction(example('verifyTransaction'));

  const { transactionId } = await sale();
  const { basketId } = await client.submitBasket(example('submitBasket'));
  await client.captureWager({ ...example('captureWager'), ref: 'bet-1001' });
  const { wagerId } = await client.listWagers().then(({ items }) => items[0] as { wagerId: string });
  await client.capturePayout(example('capturePayout'));
  const { payoutId } = await client.listPayouts().then(({ items }) => items[0] as { payoutId: string });
  await client.recordCDR(example('recordCDR'));
  const { cdrId } = await client.listCdrs().then(({ items }) => items[0] as { cdrId: string });

  const bad = [cdrRow('b1', { call_duration_seconds: 'x' }), cdrRow('b2', { call_duration_seconds: 'x' })];
  drop(dataDirOf(t), clientAccount, 'calls.csv', cdrText(cdrRow('a'), ...bad));
  await client.pickUpCdrFiles();
  const { fileId } = await until('the file is judged', async () => {
    const { items } = await client.listCdrFiles();
    return items.find((f) => f.completedAt !== null);
  });
  const { declarationId } = await client.declareCdr({ ...example('declareCdr'), period: '2026-09' });

  await client.subscribeToClient({ webhookUrl: 'https://hooks.example.com/world' });
  const { webhookId } = await client.listWebhooks().then(({ items }) => items[0] as { webhookId: string });
  const delivery = await plant(t, webhookId, clientAccount, {
    state: 'exhausted',
    attempts: ['TIMEOUT', 'HTTP_NOT_200'],
  });

  const ended = async (input: Input<'createReport'>) => {
    const { reportId } = await psp.createReport(input);
    await until('the report is made', async () => {
      const { state, reason } = await psp.getReport({ reportId });
      if (state === 'FAILED') throw new Error(`the report failed: ${reason}`);
      return state === 'DONE';
    });
    return reportId;
  };
  const reportId = await ended({ kind: 'chargebacks', period: '2026-11' });

  return {
    ...{
      t,
      operator,
      other,
      psp,
      client,
      pspAccount,
      clientAccount,
      transactionId,
      basketId,
      wagerId,
      payoutId,
      cdrId,
    },
    provider: Object.assign(provider, { name: 'test' }),
    ...{ fileId, declarationId, webhookId, delivery, reportId, example, sale, made: ended },
    async person() {
      // An address may try to sign in twice a second.
      t.advance(5000);
      const email = `person-${next()}@example.com`;
      const { user, password } = await operator.createUser({ email, name: 'A Person', role: 'administrator' });
      const session = new Assay({ baseUrl: t.address, session: true });
      await session.signIn({ email, password });
      // What was handed over is good for one sign-in: the person chooses another.
      const own = `correct horse battery ${next()}`;
      await session.changePassword({ currentPassword: password, newPassword: own });
      callers.set(session, { person: { email, password: own } });
      return { userId: user.userId, email, password: own, session };
    },
  };
}
