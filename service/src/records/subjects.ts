// Keys of persons, which are destroyed when a person is erased, and each PSP's number of erasures. New keys are stored
// by the commit's expectations.
import { change, defineRecord, int4, optional, pspId, put, text, timestamptz } from './define.ts';

export const subjectKeys = defineRecord({
  table: 'subject_keys',
  key: ['psp_id', 'subject'],
  columns: {
    psp_id: pspId,
    subject: text,
    key_sealed: optional(text),
    created_at: timestamptz,
    destroyed_at: optional(timestamptz),
    generation: int4,
    // The telephone number that it is the key of, sealed under it.
    number_sealed: optional(text),
  },
  writes: { destroyed_keys: change('key_sealed', 'number_sealed', 'destroyed_at', 'generation') },
});

export const subjectEpochs = defineRecord({
  table: 'subject_epochs',
  key: ['psp_id'],
  columns: { psp_id: pspId, epoch: int4 },
  writes: { subject_epochs: put('epoch') },
});
