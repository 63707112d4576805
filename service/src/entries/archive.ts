// Months moved to the archive and brought back: the entries about them.
import { entry } from './define.ts';
import { Named, Type } from './schema.ts';

export const archiveEntries = {
  'archive.changed/1': entry('The records of a month were moved to an archive file, or brought back from it.', {
    data: Named('ArchiveChange', 'A month and its archive file.', {
      month: Type.String({ description: '`YYYY-MM`, by the time (UTC) in the ids of the records.' }),
      change: Type.Enum(['ARCHIVED', 'RESTORED']),
      sha256: Type.String({ description: 'SHA-256 of the file, in hex.' }),
      bytes: Type.Integer({ description: 'Size of the file.' }),
      rows: Type.Record(Type.String(), Type.Integer(), { description: 'Number of rows by table.' }),
    }),
  }),
};
