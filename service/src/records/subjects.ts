// Keys of persons, which are destroyed when a person is erased, and each PSP's number of erasures. New keys are stored
// by the commit's expectations.
import { change, column, defineRecord, put } from './define.ts';

export const subjectKeys = defineRecord({
  table: 'subject_keys',
  key: ['psp_id', 'subject'],
  columns: {
    psp_id: column.pspId,
    subject: column.text,
    key_sealed: column.optional(column.text),
    created_at: column.timestamptz,
    destroyed_at: column.optional(column.timestamptz),
    generation: column.int4,
    // The telephone number that it is the key of, sealed under it.
    number_sealed: column.optional(column.text),
  },
  writes: { destroyed_keys: change('key_sealed', 'number_sealed', 'destroyed_at', 'generation') },
});

export const subjectEpochs = defineRecord({
  table: 'subject_epochs',
  key: ['psp_id'],
  columns: { psp_id: column.pspId, epoch: column.int4 },
  writes: { subject_epochs: put('epoch') },
});
