// Compares every operation with the interface specification: paths, fields with their types, required fields and their
// order, and the keys of replies.
import { describe, expect, it } from 'vitest';
import { operations } from '../src/adapters/http/operations.ts';
import type { Operation } from '../src/modules/kernel/operation.ts';

interface Written {
  readonly clause: string;
  readonly call: string;
  /**
   * `name:type`, `?` after the name where it is optional; first letters of string, number, integer, object, array,
   * boolean.
   */
  readonly takes: string;
  /** Keys of the reply's content, in order; absent where the specification shows none. */
  readonly gives?: string;
}

const written: readonly Written[] = [
  {
    clause: '4.1',
    call: 'POST /v1/transaction/verifyTransaction',
    takes: 'ref:s totalAmount:n currency:s countryCode:s paymentMethods:o transactionFee:n transactionID?:s mcc?:s',
    gives: 'transactionId vatAmount processingFee merchantAmount transactionFee transactionVAT status ref',
  },
  { clause: '4.2', call: 'GET /v1/transaction/verifyTransactionStatus', takes: 'transactionId:s' },
  { clause: '4.3', call: 'POST /v1/transaction/declineTransaction', takes: 'ref:s' },
  {
    clause: '4.4',
    call: 'POST /v1/transaction/chargeBack',
    takes: 'ref:s',
    gives: 'vatAmount processingFee merchantAmount transactionFee transactionVAT',
  },
  {
    clause: '4.5',
    call: 'POST /v1/client/registerClient',
    takes:
      'registeredName:s registrationNumber:s countryCode:s email:s phoneNumber:s classification:s organizationTin:s',
    gives: 'apiKey secret',
  },
  { clause: '4.6', call: 'GET /v1/client/verifyClientStatus', takes: '' },
  { clause: '4.7', call: 'POST /v1/client/addPSPSecret', takes: 'psp:s secret:s' },
  {
    clause: '4.8',
    call: 'POST /v1/payment/cryptoDeposit',
    takes: 'ref:s totalAmount:n currency:s blochainHash:s customer:o countryCode:s transactionFee:n',
    gives: 'transactionId vatAmount processingFee netAmount status ref',
  },
  {
    clause: '4.9',
    call: 'POST /v1/payment/cryptoWithdrawal',
    takes: 'ref:s totalAmount:n currency:s blochainHash:s customer:o countryCode:s transactionFee:n toAddress:s',
  },
  {
    clause: '4.10',
    call: 'POST /v1/payment/deposit',
    takes: 'ref:s totalAmount:n currency:s customer:o countryCode:s transactionFee:n',
    gives: 'transactionId vatAmount processingFee netAmount status ref',
  },
  {
    clause: '4.11',
    call: 'POST /v1/payment/withdrawal',
    takes: 'ref:s totalAmount:n currency:s customer:o toAddress:o countryCode:s transactionFee:n',
  },
  {
    clause: '4.12',
    call: 'POST /captureWager',
    takes: 'amount:n ref:s customer:o ip:s coordinates?:o type:s',
    gives: 'wagerId',
  },
  { clause: '4.13', call: 'POST /capturePayout', takes: 'amount:n ref:s customer:o wagerReference:s' },
  { clause: '4.14', call: 'POST /v1/telecom/recordCDR', takes: '' },
  {
    clause: '4.16',
    call: 'POST /v1/basket/submitBasket',
    takes: 'ref:s totalAmount:n items:a paymentMethods:o currency:s countryCode:s',
    gives: 'basketId vatAmount originalBasketData status transactionId',
  },
  {
    clause: '4.17',
    call: 'POST /v1/client/subscribeToClient',
    takes: 'webhookUrl:s',
    gives: 'clientId webhookUrls',
  },
];

// Spec 2.8: which of them are required is left open there.
const cdrFields =
  'cdr_id:s timestamp:s caller_number:s receiver_number:s call_start_time:s call_end_time:s call_duration_seconds:i call_type:s call_status:s caller_location:o receiver_location:o network_provider:s imei_caller:s imei_receiver:s billing_information:o voip_details:o recording_available:b';

interface Fields {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, { readonly type?: string; readonly enum?: readonly unknown[] }>>;
}

const operationOf = (clause: string) => operations.find((o) => o.spec === clause) as Operation;
const typeOf = (p: { type?: string; enum?: readonly unknown[] }) => (p.type ?? (p.enum ? 'string' : '?'))[0];

/** Fields of a request as the table above writes them. */
function taken(o: Operation, optionalMark = '?'): string {
  const schema = (o.body ?? o.query) as unknown as Fields | undefined;
  return Object.entries(schema?.properties ?? {})
    .map(([name, p]) => `${name}${schema?.required?.includes(name) ? '' : optionalMark}:${typeOf(p)}`)
    .join(' ');
}

describe('the operations of the specification', () => {
  it('are all there but the file drop, and none claims a clause it does not have', () => {
    const claimed = operations.flatMap((o) => o.spec ?? []);
    expect(claimed).toEqual(written.map((w) => w.clause));
  });

  it.each(written.filter((w) => w.clause !== '4.14'))('$clause: $call takes what is written', (w) => {
    const o = operationOf(w.clause);
    expect(`${o.method} ${o.path}`).toBe(w.call);
    // What is added beside the specification is optional: a query parameter, the wallet that a deposit came from,
    // what is known of a sale for its tax, and the amount that a chargeback is checked against.
    expect(taken(o).replace(/ ?(expand\?:s|fromAddress\?:s|taxDetails\?:o|amount\?:n)$/, '')).toBe(w.takes);
  });

  it('4.14: POST /v1/telecom/recordCDR takes the record of 2.8', () => {
    const o = operationOf('4.14');
    expect([`${o.method} ${o.path}`, taken(o, '')]).toEqual(['POST /v1/telecom/recordCDR', cdrFields]);
  });

  it.each(written.filter((w) => w.gives !== undefined))('$clause: $call gives what is written, always', (w) => {
    const content = operationOf(w.clause).content as unknown as Fields;
    const keys = (w.gives as string).split(' ');
    expect(Object.keys(content.properties).slice(0, keys.length)).toEqual(keys);
    expect(content.required).toEqual(expect.arrayContaining(keys));
  });

  // Spec 9.1 and 9.2
  it('have paths under /v1, but for captureWager and capturePayout, which bear no prefix', () => {
    const bare = operations.filter((o) => !o.path.startsWith('/v1/')).map((o) => o.path);
    expect(bare).toEqual(['/captureWager', '/capturePayout']);
  });
});
