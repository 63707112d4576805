// The operations by which staff change rates and correct what they taxed; a part of operations.ts.
import { correctRates } from '../../modules/corrections/operations/correct-rates.ts';
import { approveProposal } from '../../modules/proposals/operations/approve-proposal.ts';
import { getProposal } from '../../modules/proposals/operations/get-proposal.ts';
import { listProposals } from '../../modules/proposals/operations/list-proposals.ts';
import { openProposal } from '../../modules/proposals/operations/open-proposal.ts';
import { proposalEffect } from '../../modules/proposals/operations/proposal-effect.ts';
import { rejectProposal } from '../../modules/proposals/operations/reject-proposal.ts';
import { endFee } from '../../modules/rates/operations/end-fee.ts';
import { getTaxFile } from '../../modules/rates/operations/get-tax-file.ts';
import { listFees } from '../../modules/rates/operations/list-fees.ts';
import { loadTax } from '../../modules/rates/operations/load-tax.ts';
import { setFee } from '../../modules/rates/operations/set-fee.ts';

export const rateChangeOperations = [
  loadTax,
  getTaxFile,
  setFee,
  endFee,
  correctRates,
  listFees,
  openProposal,
  listProposals,
  getProposal,
  proposalEffect,
  approveProposal,
  rejectProposal,
];
