// The steps of checking a receipt. The check itself is the client library's and runs in this browser.

import { ReceiptError, type VerifiedReceipt, verifyReceipt } from '@assay/client';
import { plural, say } from '../words/words.ts';

export interface Step {
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'open';
  /** The result of the step, or what is wrong. */
  readonly detail: string;
}

export interface Checked {
  readonly valid: boolean;
  readonly steps: readonly Step[];
}

/** A record as the page shows it: its id, and the values whose text must equal that in the latest sealed entry. */
export interface ShownRecord {
  readonly recordId: string;
  readonly values: Readonly<Record<string, string | null | undefined>>;
}

/** In the order of the library's checks; the last one compares with the page. */
const order: readonly { title: string; codes: readonly string[] }[] = [
  { title: say('It is a whole receipt'), codes: ['FORM'] },
  { title: say('Its entries are of one record, in order'), codes: ['ENTRY'] },
  { title: say('The key is that of this log'), codes: ['KEY'] },
  { title: say('The checkpoint carries its Ed25519 signature'), codes: ['SIGNATURE'] },
  { title: say("The checkpoint is of this PSP's log"), codes: ['LOG'] },
  { title: say('Each entry is in the signed tree'), codes: ['SIZE', 'PROOF'] },
];
const comparison = say('It says what this page shows');

/** Checks a receipt against a key without contacting the service. */
export async function checkReceipt(receipt: unknown, key: string, shown: ShownRecord): Promise<Checked> {
  let verified: VerifiedReceipt;
  try {
    verified = await verifyReceipt(receipt, key);
  } catch (error) {
    if (error instanceof ReceiptError) return failed(error);
    throw error;
  }
  const { checkpoint, entries } = verified;
  const sealed = entries.map((e) => e.seq).join(', ');
  const details = [
    plural(
      entries.length,
      '{n} entry of the journal, with its proof',
      '{n} entries of the journal, each with its proof',
    ),
    entries.map((e) => e.kind).join(', '),
    key.slice(0, key.indexOf('+')),
    say('made over the size and the root of the log'),
    checkpoint.origin,
    say('entry {sealed} of {size}: hashed with its neighbours it gives the signed root', {
      sealed,
      size: checkpoint.size,
    }),
  ];
  const steps = order.map((s, i): Step => ({ title: s.title, state: 'passed', detail: details[i] as string }));
  const fault = difference(
    entries.map((e) => e.body),
    shown,
  );
  return {
    valid: fault === undefined,
    steps: [
      ...steps,
      fault === undefined
        ? {
            title: comparison,
            state: 'passed',
            detail: say('{recordId}, digit by digit', { recordId: shown.recordId }),
          }
        : { title: comparison, state: 'failed', detail: fault },
    ],
  };
}

/** The steps before the failed one passed; the steps after it did not run. */
function failed(error: ReceiptError): Checked {
  const at = order.findIndex((s) => s.codes.includes(error.code));
  const steps = order.map((s, i): Step => {
    if (i === at) return { title: s.title, state: 'failed', detail: error.message };
    return { title: s.title, state: i < at ? 'passed' : 'open', detail: i < at ? '' : say('not come to') };
  });
  return { valid: false, steps: [...steps, { title: comparison, state: 'open', detail: say('not come to') }] };
}

/** How the last entry about the record differs from what is shown; numbers are compared as text. */
function difference(bodies: readonly string[], { recordId, values }: ShownRecord): string | undefined {
  const own = bodies.findLast((b) => idsIn(b).includes(recordId));
  if (own === undefined) return say('it is not about {recordId}', { recordId });
  for (const [field, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    const text = new RegExp(`"${field}":("(?:[^"\\\\]|\\\\.)*"|[^,}]+)`).exec(own)?.[1];
    const said = text?.startsWith('"') ? (JSON.parse(text) as string) : text;
    if (said !== value)
      return say('{field} is {said} in the receipt and {value} on this page', {
        field,
        said: said ?? 'missing',
        value,
      });
  }
  return undefined;
}

/** Ids of the resource in an entry's body. */
function idsIn(body: string): unknown[] {
  const { data } = JSON.parse(body) as { data?: Record<string, unknown> };
  return data ? [data.transactionId, data.basketId, data.wagerId, data.payoutId, data.chargebackId] : [];
}
