// The registry of report kinds: a new kind is a file of its own and one row here. The API, the command line and the
// reference follow.
import { type TObject, type TSchema, Type } from 'typebox';
import { cesopReport } from '../cesop/index.ts';
import { rateCorrectionReport } from '../corrections/index.ts';
import { filingReport, oneStopShopReport } from '../filing/index.ts';
import type { Needs } from '../kernel/needs.ts';
import type { ReportKind } from '../kernel/report.ts';
import { playerFindingsReport } from '../players/index.ts';
import type { HasRateKeeper } from '../rates/index.ts';
import { ruleStatisticsReport } from '../reviews/index.ts';
import { settlementReport } from '../settlement/index.ts';
import { cdrFindingsReport, cdrTaxReport } from '../telecom/index.ts';
import { feeStatementReport, ggrDutyReport, vatReturnReport } from '../totals/index.ts';
import { cashTransactionsReport, chargebacksReport, cryptoActivityReport } from '../transactions/index.ts';
import { personSumsReport } from '../wagers/index.ts';

/** What report kinds may need of the service; each receives only what it names. */
export type ReportNeeds = Needs<'settings' | 'db' | 'reference' | 'rates' | 'subjects'> & HasRateKeeper;

export const reportKinds: readonly ReportKind<ReportNeeds>[] = [
  vatReturnReport,
  filingReport,
  oneStopShopReport,
  feeStatementReport,
  ggrDutyReport,
  personSumsReport,
  settlementReport,
  chargebacksReport,
  cryptoActivityReport,
  cdrTaxReport,
  cdrFindingsReport,
  cesopReport,
  rateCorrectionReport,
  playerFindingsReport,
  cashTransactionsReport,
  ruleStatisticsReport,
];

export const kindNames = reportKinds.map((k) => k.name);

export const kindNamed = (name: string) => reportKinds.find((k) => k.name === name);

/** The parameters of all kinds, each optional: each kind checks which ones it requires. */
export const anyParameters: TObject = Type.Object(
  Object.fromEntries(
    reportKinds
      .flatMap((k) => Object.entries(k.parameters.properties as Record<string, TSchema>))
      .map(([name, schema]) => [name, Type.Optional(schema)]),
  ),
);
