// What other modules may use of reports.
export { reportsAsTold } from './as-told.ts';
export { type ReportNeeds, reportKinds } from './kinds.ts';
export { countReports, findAnyReport, findReportFile, type Report } from './report-store.ts';
export { requestReport } from './request.ts';
export { ReportRunner } from './runner.ts';
export { requestDueReports } from './schedules/due-reports.ts';
