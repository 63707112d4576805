// What other modules may use of the seal: its reader, and the verification of what it sealed.
export { type AuditKey, logKey, openAuditKeys, signedFor } from './audit-key.ts';
export { findAuditKeys, findLastCheckpoint } from './audit-store.ts';
export { Auditor, usualAuditorLagS } from './auditor.ts';
export { auditorCursor } from './auditor-store.ts';
export { CheckpointFolder } from './checkpoint-folder.ts';
export { logKeyOf } from './log-keys.ts';
export { ReceiptContent, receiptOf } from './receipt-of.ts';
export { Sealer } from './sealer.ts';
export { makeSealing } from './sealing.ts';
export { sealingLag } from './sealing-lag.ts';
export { proveInclusion, unproven } from './stored-tree.ts';
export type { PspAudit } from './verification/finding.ts';
export { type AuditOptions, audit } from './verification/verify.ts';
