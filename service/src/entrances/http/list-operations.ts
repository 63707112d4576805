// The operations on lists and screening, in the order of the reference.
import { endMatchException } from '../../modules/screening/operations/end-match-exception.ts';
import { getMatch } from '../../modules/screening/operations/get-match.ts';
import { listListEntries } from '../../modules/screening/operations/list-list-entries.ts';
import { listLists } from '../../modules/screening/operations/list-lists.ts';
import { listMatches } from '../../modules/screening/operations/list-matches.ts';
import { loadList } from '../../modules/screening/operations/load-list.ts';
import { makeMatchException } from '../../modules/screening/operations/make-match-exception.ts';
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
  listMatches,
  getMatch,
  makeMatchException,
  endMatchException,
] as const;
