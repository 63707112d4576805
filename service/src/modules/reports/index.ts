// What others may ask about reports.
export { anyParameters, kindNamed, kindNames, reportKinds } from './kinds.ts';
export { csvName } from './manifest.ts';
export {
  countReports,
  findAnyReport,
  findReportFile,
  listReports,
  listSeries,
  type Parameters,
  type Report,
  reportStates,
} from './report-store.ts';
export { parametersOf, requestReport, rerunReport } from './request.ts';
export { reportDetail, reportResource } from './resource.ts';
export { ReportRunner } from './runner.ts';
