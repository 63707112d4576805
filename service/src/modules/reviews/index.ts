// What other modules may use of reviews.
export { countOpenReviews } from './review-counts.ts';
export { openReviews, reviewsAbout } from './review-store.ts';
