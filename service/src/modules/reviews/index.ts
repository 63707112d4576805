// What other modules may use of reviews.
export { type Alert, alertKey, openAlerts, openedAlert } from './opened-alert.ts';
export { countOpenReviews } from './review-counts.ts';
export { reviewOf, reviewsAbout } from './review-store.ts';
export { makeReviewsReader } from './reviews-reader.ts';
