// What others may ask about call detail records.
export { type CdrRecord, cdrResource, findCdr } from './cdr-store.ts';
