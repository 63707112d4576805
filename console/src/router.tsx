// Builds the router from the table of pages, around the signed-in layout.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { codeOf } from './data/code.ts';
import { history, rewrite } from './data/psp-address.ts';
import { Failed } from './layout/failed.tsx';
import { Gate } from './layout/gate.tsx';
import { Loading } from './layout/loading.tsx';
import { NotFound } from './layout/not-found.tsx';
import { pages } from './routes.tsx';

const root = createRootRoute({
  component: () => (
    <Gate>
      <Outlet />
    </Gate>
  ),
  notFoundComponent: NotFound,
});

const tree = root.addChildren(
  pages.map((p) =>
    createRoute({
      getParentRoute: () => root,
      path: p.path,
      component: lazyRouteComponent(codeOf(p.load)),
      staticData: {
        ofPsp: p.ofPsp === true,
        forClients: p.forClients ?? false,
        forAuthorities: p.forAuthorities ?? false,
        forStaff: p.forStaff ?? true,
      },
    }),
  ),
);

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Shows records of one PSP. */
    ofPsp?: boolean;
    /** Whether people of clients may see it, or they alone. */
    forClients?: boolean | 'alone';
    /** Whether people of authorities may see it, or they alone. */
    forAuthorities?: boolean | 'alone';
    /** Whether the operator's staff may see it, or they alone. */
    forStaff?: boolean | 'alone';
  }
}

/** Filters are plain text in the URL: ?status=DECLINED, without quotes around values that look like numbers. */
const textOnly = {
  parseSearch: (search: string) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (values: Record<string, unknown>) => {
    const query = new URLSearchParams();
    for (const [k, v] of Object.entries(values)) if (v !== undefined && v !== '') query.set(k, String(v));
    const text = query.toString();
    return text ? `?${text}` : '';
  },
};

export const router = createRouter({
  routeTree: tree,
  history,
  basepath: '/console',
  rewrite,
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultPendingMs: 150,
  defaultErrorComponent: ({ error, reset }) => <Failed error={error} retry={reset} />,
  scrollRestoration: true,
  ...textOnly,
});
