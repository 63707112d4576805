// Figures of the overview: their names, the page that shows what each counts, and whether that is a page of one PSP.
import type { Input } from '@assay/client';
import { say } from '../../words/words.ts';

export type WaitingFigure = Input<'listWaitingPsps'>['figure'];

export const waitingFigures = {
  disabledWebhooks: { title: say('Disabled webhooks'), to: '/webhooks', ofPsp: true },
  failingWebhooks: { title: say('Webhooks that fail'), to: '/webhooks', ofPsp: true },
  exhaustedDeliveries: { title: say('Failed deliveries'), to: '/webhooks', ofPsp: true },
  disputesDue: {
    title: say('Disputes that need evidence within 7 days'),
    to: '/settlement/disputes?state=OPEN&due=7',
    ofPsp: true,
  },
  cdrLinesInSuspense: { title: say('Call record lines in suspense'), to: '/cdr', ofPsp: true },
  cdrFilesInWork: { title: say('Call record files in work'), to: '/cdr', ofPsp: true },
  openReviews: { title: say('Open reviews'), to: '/reviews', ofPsp: false },
  overdueCases: { title: say('Overdue cases'), to: '/cases?show=overdue', ofPsp: false },
  openCases: { title: say('Open cases'), to: '/cases', ofPsp: false },
  openMatches: { title: say('Open matches of lists'), to: '/lists?tab=matches', ofPsp: false },
} as const satisfies Readonly<
  Record<WaitingFigure, { readonly title: string; readonly to: string; readonly ofPsp: boolean }>
>;
