// What other rooms may use of the log of requests.
export { RequestLog } from './request-log.ts';
export { findRequest, removeRequests } from './request-store.ts';
