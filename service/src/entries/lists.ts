// Loads of lists to screen against: the entry about them.
import { listPurposes } from '../core/screening/entry.ts';
import { entry } from './define.ts';
import { Named, Nullable, Type } from './schema.ts';

export const ListPurposeField = Type.Enum(listPurposes, {
  description:
    'SANCTIONS and PEP (politically exposed persons) are published lists; BLOCK and ALLOW are lists of your own.',
});

/** What a load read, and what of it was new. */
export const listLoadFields = {
  list: Type.String({ description: 'Name of the list: `OFAC_SDN`, `UN`, `EU`, `UK` or one of your own.' }),
  purpose: ListPurposeField,
  shared: Type.Boolean({ description: 'True if the list is screened for all PSPs, false if it is one PSP’s own.' }),
  threshold: Nullable(
    Type.Integer(),
    'Score in percent from which a name matches; null for the usual one of the purpose.',
  ),
  form: Type.String({ description: 'Form of the file: `OFAC_SDN_XML`, `PLAIN_CSV` …; `API` for a single entry.' }),
  name: Type.String({ description: 'Name or address of the file.' }),
  sha256: Type.String({ description: 'SHA-256 of the text of the file in UTF-8, in hex.' }),
  published: Nullable(Type.String(), 'Day of publication that the file states, `YYYY-MM-DD`.'),
  entries: Type.Integer({ description: 'Entries in the list after the load.' }),
  added: Type.Integer({ description: 'Entries that were not in the list.' }),
  changed: Type.Integer({ description: 'Entries that say something else than before; the former ones are kept.' }),
  removed: Type.Integer({ description: 'Entries that are no longer in the list; they are kept as history.' }),
  loadedAt: Type.String({ description: 'When it was loaded, ISO 8601 UTC.' }),
};

export const listEntriesOfJournal = {
  'list.loaded/1': entry('A list to screen against was loaded, in whole or in part, or an entry of it was changed.', {
    data: Named('ListLoad', 'A load of a list to screen against.', {
      loadId: Type.String({ description: 'Id of the load, `lsl_…`.' }),
      complete: Type.Boolean({ description: 'False if further parts of the file follow.' }),
      ...listLoadFields,
    }),
    evidence: Named('ListLoadEvidence', 'Holds the stored entries to the journal.', {
      rowsSha256: Type.String({ description: 'SHA-256 over the digests of its stored rows, in hex.' }),
      rowsColumns: Type.Integer({ description: 'Number of columns that were hashed.' }),
      seq: Type.Integer({ description: 'Number of the load among those of all lists.' }),
    }),
  }),
};
