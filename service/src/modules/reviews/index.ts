// What other modules may use of reviews.

export { Assigning, assigneeOf } from './assignee.ts';
export { resolvedWith } from './change-review.ts';
export { letGoReviews } from './let-go.ts';
export { ListedReview, listedReviews } from './listed-reviews.ts';
export { type Alert, alertKey, openAlerts, openedAlert } from './opened-alert.ts';
export { ruleStatisticsReport } from './reports/rule-statistics.ts';
export { reviewState } from './review-resource.ts';
export {
  findOpenReview,
  firstConfirmed,
  listMatchRule,
  matchesUnresolved,
  reviewOf,
  reviewsAbout,
  reviewsNamed,
  unresolved,
} from './review-store.ts';
