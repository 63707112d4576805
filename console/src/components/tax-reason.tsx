// Why a tax is zero, in words.
import { reasonWords } from '../data/tax-words.ts';
import { Nothing } from './nothing.tsx';
import { inWords } from './status-badge.tsx';

export const TaxReason = ({ reason }: { readonly reason: string | null }) =>
  reason === null ? <Nothing /> : (reasonWords[reason] ?? inWords(reason));
