// What happened to a transaction, told from its entries: which step each was, and what it changed.

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

/** The resource of an entry, its numbers as their own text. */
export type Shown = Readonly<Record<string, unknown>>;

export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Fields that change with every entry, or say what the step says already. */
const passedOver = new Set(['revision', 'updatedAt', 'chargeback']);
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** What differs, in the order of the resource. */
export function changesBetween(before: Shown, after: Shown): FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => !passedOver.has(field) && !same(before[field], after[field]))
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }));
}

const reversedAt = (t: Shown) => (t.chargeback as { readonly reversedAt?: string } | null | undefined)?.reversedAt;

/** @param before what it was; undefined where the entry is the first */
export function transactionStep(before: Shown | undefined, after: Shown, decided: boolean): HistoryStep {
  if (!before) return 'RECORDED';
  if (before.chargeback === null && after.chargeback !== null) return 'CHARGED_BACK';
  if (reversedAt(before) === undefined && reversedAt(after) !== undefined) return 'CHARGEBACK_REVERSED';
  if (before.status === 'PENDING' && decided) return 'VERIFIED';
  return decided ? 'DECIDED_ANEW' : 'DECLINED';
}
