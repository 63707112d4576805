// Operations of authorities: what their people read, and what staff do about them.
import { changeAuthority } from '../../modules/authorities/operations/change-authority.ts';
import { createAuthority } from '../../modules/authorities/operations/create-authority.ts';
import { getAuthorityBasket } from '../../modules/authorities/operations/get-authority-basket.ts';
import { getAuthorityCall } from '../../modules/authorities/operations/get-authority-call.ts';
import { getAuthorityReceipt } from '../../modules/authorities/operations/get-authority-receipt.ts';
import { getAuthorityRecord } from '../../modules/authorities/operations/get-authority-record.ts';
import { listAuthorities } from '../../modules/authorities/operations/list-authorities.ts';
import { listAuthorityCallTotals } from '../../modules/authorities/operations/list-authority-call-totals.ts';
import { listAuthorityCalls } from '../../modules/authorities/operations/list-authority-calls.ts';
import { listAuthorityPsps } from '../../modules/authorities/operations/list-authority-psps.ts';
import { listAuthorityRecords } from '../../modules/authorities/operations/list-authority-records.ts';
import { listAuthoritySample } from '../../modules/authorities/operations/list-authority-sample.ts';
import { listAuthorityTotals } from '../../modules/authorities/operations/list-authority-totals.ts';

export const authorityOperations = [
  listAuthorityRecords,
  getAuthorityRecord,
  getAuthorityReceipt,
  getAuthorityBasket,
  listAuthoritySample,
  listAuthorityTotals,
  listAuthorityPsps,
  listAuthorityCallTotals,
  listAuthorityCalls,
  getAuthorityCall,
  createAuthority,
  changeAuthority,
  listAuthorities,
];
