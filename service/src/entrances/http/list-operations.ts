// The operations on lists and screening, in the order of the reference.
import { listListEntries } from '../../modules/screening/operations/list-list-entries.ts';
import { listLists } from '../../modules/screening/operations/list-lists.ts';
import { loadList } from '../../modules/screening/operations/load-list.ts';
import { putOwnListEntry } from '../../modules/screening/operations/put-own-list-entry.ts';
import { removeOwnListEntry } from '../../modules/screening/operations/remove-own-list-entry.ts';
import { searchLists } from '../../modules/screening/operations/search-lists.ts';

export const listOperations = [
  listLists,
  loadList,
  searchLists,
  listListEntries,
  putOwnListEntry,
  removeOwnListEntry,
] as const;
