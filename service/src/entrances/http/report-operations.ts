// The operations on reports and returns; operations.ts has them all.
import { listFilingForms } from '../../modules/filing/operations/list-filing-forms.ts';
import { listFilings } from '../../modules/filing/operations/list-filings.ts';
import { changeReportSchedule } from '../../modules/reports/operations/change-report-schedule.ts';
import { createReport } from '../../modules/reports/operations/create-report.ts';
import { createReportSchedule } from '../../modules/reports/operations/create-report-schedule.ts';
import { endReportSchedule } from '../../modules/reports/operations/end-report-schedule.ts';
import { fileReturn } from '../../modules/reports/operations/file-return.ts';
import { getReport } from '../../modules/reports/operations/get-report.ts';
import { getReportCsv } from '../../modules/reports/operations/get-report-csv.ts';
import { getReportJson } from '../../modules/reports/operations/get-report-json.ts';
import { getReportPage } from '../../modules/reports/operations/get-report-page.ts';
import { getReportXlsx } from '../../modules/reports/operations/get-report-xlsx.ts';
import { getReportXml } from '../../modules/reports/operations/get-report-xml.ts';
import { listFilingPeriods } from '../../modules/reports/operations/list-filing-periods.ts';
import { listReportKinds } from '../../modules/reports/operations/list-report-kinds.ts';
import { listReportSchedules } from '../../modules/reports/operations/list-report-schedules.ts';
import { listReports } from '../../modules/reports/operations/list-reports.ts';
import { rerunReport } from '../../modules/reports/operations/rerun-report.ts';

export const reportOperations = [
  listReportKinds,
  createReport,
  listReports,
  getReport,
  getReportJson,
  getReportCsv,
  getReportPage,
  getReportXml,
  getReportXlsx,
  rerunReport,
  createReportSchedule,
  listReportSchedules,
  changeReportSchedule,
  endReportSchedule,
  listFilingForms,
  listFilingPeriods,
  fileReturn,
  listFilings,
];
