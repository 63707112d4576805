// The operations on the risk book and on holds of wallets; a part of operations.ts.
import { checkRiskRule } from '../../modules/risk/operations/check-risk-rule.ts';
import { getRiskPolicy } from '../../modules/risk/operations/get-risk-policy.ts';
import { listRiskRules } from '../../modules/risk/operations/list-risk-rules.ts';
import { riskReplay } from '../../modules/risk/operations/risk-replay.ts';
import { setRiskPolicy } from '../../modules/risk/operations/set-risk-policy.ts';
import { holdWallet } from '../../modules/wallets/operations/hold-wallet.ts';
import { listWalletHolds } from '../../modules/wallets/operations/list-wallet-holds.ts';
import { releaseWalletHold } from '../../modules/wallets/operations/release-wallet-hold.ts';

export const riskOperations = [
  ...[listRiskRules, getRiskPolicy, setRiskPolicy, checkRiskRule, riskReplay],
  ...[listWalletHolds, holdWallet, releaseWalletHold],
] as const;
