// The key of a PSP's log, with which its receipts are checked.
import { call } from '../../data/assay.ts';
import { say } from '../../words/words.ts';

export async function logKey(pspId: string): Promise<string> {
  const { items } = await call('listAuthorityPsps', {}, {});
  const found = items.find((p) => p.pspId === pspId);
  if (!found) throw new Error(say('The key of this log is not known yet. Try again in a moment.'));
  return found.key;
}
