// The parts of a transaction that `expand` adds, which the generated types do not include.
import type { TaxEvidence } from '../../components/tax-evidence.tsx';
import type { Transaction } from './split.ts';

export const parts = 'tax,fees,decision';

export interface FeeEvidence {
  readonly feeId: string | null;
  readonly percent: string | null;
  readonly fixed: string | null;
  readonly min: string | null;
  readonly max: string | null;
  readonly currency: string | null;
  readonly validFrom: string | null;
  readonly ofThisPsp: boolean;
  readonly processingFee: string;
}

export interface Decision {
  readonly status: string;
  readonly reason: string | null;
  readonly taxDataset: string;
  readonly localDate: string;
}

export interface Evidenced extends Transaction {
  readonly tax: readonly TaxEvidence[];
  readonly fees: FeeEvidence;
  readonly decision: Decision;
}
