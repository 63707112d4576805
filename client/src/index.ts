// The public exports of the client library.
export { Assay, type AssayOptions } from './assay.ts';
export { AssayError, type Code, isRefusal, NoReplyError } from './errors.ts';
export { codes } from './generated/codes.ts';
export { operations } from './generated/operations.ts';
export type * from './generated/resources.ts';
export type { OperationRow } from './operation-row.ts';
export { type Checkpoint, nextKey } from './receipt/checkpoint.ts';
export { type FlawCode, ReceiptError } from './receipt/flaw.ts';
export { type SealedEntry, type VerifiedReceipt, verifyReceipt } from './receipt/receipt.ts';
export type { StandinFile } from './standin/file.ts';
export {
  type SaleAnswer,
  type Settled,
  Standin,
  type StandinAnswer,
  type StandinOptions,
} from './standin/standin.ts';
export type { CallOptions, Decimal, FileId, Input, Item, ListId, OperationId, Output, Reply } from './types.ts';
export { verifyWebhook, WebhookError, type WebhookEvent, type WebhookRequest } from './webhooks.ts';
