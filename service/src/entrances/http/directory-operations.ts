// The operations that find things: what an id is, the search over everything, persons; operations.ts has them all.
import { getPerson } from '../../modules/directory/operations/get-person.ts';
import { listPersonRecords } from '../../modules/directory/operations/list-person-records.ts';
import { listRecordPersons } from '../../modules/directory/operations/list-record-persons.ts';
import { resolveId } from '../../modules/directory/operations/resolve-id.ts';
import { searchAll } from '../../modules/directory/operations/search-all.ts';

export const directoryOperations = [resolveId, searchAll, getPerson, listPersonRecords, listRecordPersons];
