// Figures of the overview that are of one PSP each: their names, and the page of a PSP that shows what they count.
import type { Input } from '@assay/client';
import { say } from '../../words/words.ts';

export type WaitingFigure = Input<'listWaitingPsps'>['figure'];

export const waitingFigures = {
  disabledWebhooks: { title: say('Disabled webhooks'), to: '/webhooks' },
  failingWebhooks: { title: say('Webhooks that fail'), to: '/webhooks' },
  exhaustedDeliveries: { title: say('Failed deliveries'), to: '/webhooks' },
  disputesDue: { title: say('Disputes that need evidence within 7 days'), to: '/settlement/disputes?state=OPEN&due=7' },
  cdrLinesInSuspense: { title: say('Call record lines in suspense'), to: '/cdr' },
  cdrFilesInWork: { title: say('Call record files in work'), to: '/cdr' },
  openReviews: { title: say('Open reviews'), to: '/reviews' },
  overdueCases: { title: say('Overdue cases'), to: '/cases?show=overdue' },
  openCases: { title: say('Open cases'), to: '/cases' },
  openMatches: { title: say('Open matches of lists'), to: '/lists?tab=matches' },
} as const satisfies Readonly<Record<WaitingFigure, { readonly title: string; readonly to: string }>>;
