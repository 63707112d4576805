// The operations on cases; operations.ts has them all.
import { addCaseFile } from '../../modules/cases/operations/add-case-file.ts';
import { approveCase } from '../../modules/cases/operations/approve-case.ts';
import { assignCase } from '../../modules/cases/operations/assign-case.ts';
import { caseAction } from '../../modules/cases/operations/case-action.ts';
import { closeCase } from '../../modules/cases/operations/close-case.ts';
import { escalateCase } from '../../modules/cases/operations/escalate-case.ts';
import { exportStr } from '../../modules/cases/operations/export-str.ts';
import { getCase } from '../../modules/cases/operations/get-case.ts';
import { getCaseFile } from '../../modules/cases/operations/get-case-file.ts';
import { linkCase } from '../../modules/cases/operations/link-case.ts';
import { listCases } from '../../modules/cases/operations/list-cases.ts';
import { markStrSent } from '../../modules/cases/operations/mark-str-sent.ts';
import { noteCase } from '../../modules/cases/operations/note-case.ts';
import { rejectCase } from '../../modules/cases/operations/reject-case.ts';
import { reopenCase } from '../../modules/cases/operations/reopen-case.ts';

export const caseOperations = [
  listCases,
  getCase,
  noteCase,
  assignCase,
  addCaseFile,
  getCaseFile,
  linkCase,
  caseAction,
  exportStr,
  markStrSent,
  escalateCase,
  closeCase,
  approveCase,
  rejectCase,
  reopenCase,
];
