// Documents of clients. Their content is sealed in rows of its own, which follow from the hash here.
import type { DocumentState } from '../core/requirements/due.ts';
import type { DocumentKind } from '../core/requirements/requirement.ts';
import { column, defineRecord, put } from './define.ts';

export const contentTypes = ['application/pdf', 'image/jpeg', 'image/png', 'text/plain'] as const;

export const clientDocuments = defineRecord({
  table: 'client_documents',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    kind: column.textOf<DocumentKind>(),
    content_type: column.textOf<(typeof contentTypes)[number]>(),
    bytes: column.int8,
    sha256: column.text,
    state: column.textOf<DocumentState>(),
    valid_until: column.optional(column.date),
    /** Whose key the name and the content are sealed under. */
    subject: column.text,
    /** The name of the file. */
    sealed: column.optional(column.text),
    added_by: column.text,
    decided_by: column.optional(column.text),
    decision_reason: column.optional(column.text),
    version: column.int4,
    created_at: column.timestamptz,
    updated_at: column.timestamptz,
    /** The owner of the client whose identity it shows. */
    owner: column.optional(column.text),
  },
  writes: {
    client_documents: put('state', 'valid_until', 'decided_by', 'decision_reason', 'version', 'updated_at'),
  },
  vouched: true,
  resource: 'document',
  journaled: true,
});
