// What may be proposed, as the start of a sentence that ends with its subject.
import type { Item } from '@assay/client';
import { say } from '../../words/words.ts';

export const kinds: Readonly<Record<Item<'listProposals', string>['kind'], string>> = {
  TAX: say('Taxes of'),
  FEE: say('Fee row'),
  FEE_END: say('End of fee row'),
  CORRECTION: say('Correction of'),
  RISK: say('Risk rule'),
  LEVEL: say('Higher level of'),
  OPERATOR: say('Operator'),
  OPERATOR_KEY: say('Key of'),
  AUTHORITY: say('Authority'),
  ERASURE: say('Erasure of a person of'),
};
