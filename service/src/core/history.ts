// A transaction's history from its entries: the step each one was, and what it changed.

export const historySteps = [
  'RECORDED',
  'VERIFIED',
  'DECIDED_ANEW',
  'DECLINED',
  'CHARGED_BACK',
  'DISPUTED',
  'EVIDENCE_SENT',
  'DISPUTE_RESOLVED',
  'CHARGEBACK_REVERSED',
  'NETTED',
  'NETTING_RELEASED',
  'ADJUSTED',
  'REVIEW_OPENED',
  'REVIEW_CHANGED',
  'UNKNOWN',
] as const;
export type HistoryStep = (typeof historySteps)[number];

/** The resource in an entry, with numbers as exact text. */
export type Shown = Readonly<Record<string, unknown>>;

export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Fields that change with every entry or repeat what the step says. */
const passedOver = new Set(['revision', 'updatedAt', 'chargeback']);
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The differing fields, in the resource's order. */
export function changesBetween(before: Shown, after: Shown): FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => !passedOver.has(field) && !same(before[field], after[field]))
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }));
}

const reversedAt = (t: Shown) => (t.chargeback as { readonly reversedAt?: string } | null | undefined)?.reversedAt;

/** @param before undefined if the entry is the first */
export function transactionStep(before: Shown | undefined, after: Shown, decided: boolean): HistoryStep {
  if (!before) return 'RECORDED';
  if (before.chargeback === null && after.chargeback !== null) return 'CHARGED_BACK';
  if (reversedAt(before) === undefined && reversedAt(after) !== undefined) return 'CHARGEBACK_REVERSED';
  if (before.status === 'PENDING' && decided) return 'VERIFIED';
  return decided ? 'DECIDED_ANEW' : 'DECLINED';
}
