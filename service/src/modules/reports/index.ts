// What other modules may use of reports.
export { compareReports } from './compare-with-journal.ts';
export { type ReportNeeds, reportKinds } from './kinds.ts';
export { countReports, findAnyReport, findReportFile, type Report } from './report-store.ts';
export { requestReport } from './request.ts';
export { ReportRunner } from './runner.ts';
export { requestDueReports } from './schedules/due-reports.ts';
