import { added } from '../../../core/cases/case.ts';
import { refuse, said } from '../../../core/refusal.ts';
import { operation, Text, Type } from '../../kernel/operation.ts';
import { CaseNote, caseChange } from '../asked-case.ts';
import { type CaseNeeds, caseWire, changeCaseAsRead } from '../change-case.ts';
import { isLinkable } from '../linked.ts';

export const linkCase = operation({
  ...caseChange,
  id: 'linkCase',
  path: '/v1/case/:caseId/link',
  summary: 'Link a record or another case to a case',
  description:
    'A transaction, wager, payout, call detail record or case of the same PSP. A link between two cases is seen from both. Linking the same again, from either, changes nothing.',
  body: Type.Object({
    to: Text('Id of the record or case: `txn_…`, `wgr_…`, `pyt_…`, `cdr_…` or `cas_…`.', 64),
    note: Type.Optional(CaseNote),
  }),
  example: { to: 'txn_01h455vb4pex5vsknk084sn02q' },
  refusals: ['NOT_FOUND'],
  async handle(call, s: CaseNeeds) {
    const { to, note } = call.body;
    return changeCaseAsRead(s, call, async (found, items) => {
      if (to === caseWire(found) || !(await isLinkable(s.db, found.psp, to)))
        throw refuse('NOT_FOUND', said`the field 'to' names no record or other case of the PSP: ${to.slice(0, 40)}`);
      const linked = items.some((i) => i.kind === 'LINK' && i.about === to);
      return {
        step: 'link',
        message: linked ? 'linked before' : 'linked',
        to: linked ? (c) => c : added,
        items: [{ kind: 'LINK', about: to, text: note }],
      };
    });
  },
});
