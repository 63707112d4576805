// Views a person saved: a name and the filters of a page. Kept in this browser, for this person; other browsers do not
// have them, and a link to the page does as much for other people.
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useMe } from './session.tsx';

interface View {
  readonly name: string;
  /** The part of the URL from the question mark on. */
  readonly search: string;
}

const most = 50;

/** All views of a person, by the path of their page. */
type Views = Readonly<Record<string, readonly View[]>>;

function read(place: string): Views {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? '{}') as unknown;
    return typeof kept === 'object' && kept !== null ? (kept as Views) : {};
  } catch {
    return {};
  }
}

interface SavedViews {
  readonly views: readonly View[];
  /** Keeps the filters of the page as they are, in place of a view of the same name. */
  save(name: string): void;
  remove(name: string): void;
  /** The name of the view that the page shows. */
  readonly shown: string | undefined;
}

/** The views of this page. */
export function useViews(): SavedViews {
  const { user } = useMe();
  const { pathname, searchStr } = useLocation();
  const place = `assay-views:${user.userId}`;
  const [all, setAll] = useState(() => read(place));
  const views = all[pathname] ?? [];
  const keep = (changed: readonly View[]) => {
    const next = { ...read(place), [pathname]: changed.slice(-most) };
    localStorage.setItem(place, JSON.stringify(next));
    setAll(next);
  };
  return {
    views,
    save: (name) => keep([...views.filter((v) => v.name !== name), { name, search: searchStr }]),
    remove: (name) => keep(views.filter((v) => v.name !== name)),
    shown: views.find((v) => v.search === searchStr)?.name,
  };
}
