import { nobody, toWire } from '../../../core/ids.ts';
import { usualThresholds } from '../../../core/screening/entry.ts';
import { ListPurposeField, listLoadFields } from '../../../entries/lists.ts';
import { Named, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { lastLoads } from '../list-store.ts';

export const listLists = operation({
  id: 'listLists',
  method: 'GET',
  path: '/v1/lists',
  tag: 'Lists',
  area: 'records',
  summary: 'List the lists that are screened against',
  description: 'The lists for all PSPs, and the caller’s own, each with its last load.',
  audience: ['psp', 'operator'],
  content: Named('ListOfLists', 'Lists that are screened against.', {
    items: Type.Array(
      Named('ScreeningList', 'A list, as its last load left it.', {
        list: listLoadFields.list,
        purpose: ListPurposeField,
        shared: listLoadFields.shared,
        threshold: Type.Integer({ description: 'Score in percent from which a name matches.' }),
        entries: Type.Integer({ description: 'Number of entries.' }),
        form: listLoadFields.form,
        name: Type.String({ description: 'Name or address of the file that was loaded last.' }),
        sha256: listLoadFields.sha256,
        published: Nullable(Type.String(), 'Day of publication that the file states, `YYYY-MM-DD`.'),
        complete: Type.Boolean({ description: 'False if its last file was not stored to the end; load it again.' }),
        loadId: Type.String({ description: 'The last load, `lsl_…`.' }),
        loadedAt: listLoadFields.loadedAt,
      }),
      { description: 'The lists by name, those for all PSPs first.' },
    ),
  }),
  async handle({ principal }, s: Needs<'db'>) {
    const loads = await lastLoads(s.db, principal.kind === 'operator' ? [nobody] : [nobody, principal.psp]);
    const items = loads.map((l) => ({
      list: l.list,
      purpose: l.purpose,
      shared: l.owner === nobody,
      threshold: l.threshold ?? usualThresholds[l.purpose],
      entries: l.entries,
      form: l.form,
      name: l.name,
      sha256: l.fileSha256,
      published: l.published,
      complete: l.complete,
      loadId: toWire('listLoad', l.id),
      loadedAt: l.loadedAt,
    }));
    return { message: 'lists', content: { items } };
  },
});
