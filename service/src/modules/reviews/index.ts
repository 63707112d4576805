// What other modules may use of reviews.
export { countOpenReviews } from './review-counts.ts';
export { reviewsAbout } from './review-store.ts';
export { makeReviewsReader } from './reviews-reader.ts';
