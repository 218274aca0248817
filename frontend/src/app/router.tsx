import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '~/api/address'
import { Failed } from './Failed'
import { Gate } from './Gate'
import { NotFound } from './NotFound'

const rootRoute = createRootRoute({ component: Gate, notFoundComponent: NotFound })

type Search = Record<string, string | undefined>
const search = (values: Record<string, unknown>): Search =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== '').map(([name, value]) => [name, String(value as string | number | boolean)]))

// Said in words at each import: else the types of the pages would depend on the routes and the routes on the pages.
type Loaded = Promise<{ default: () => React.ReactNode }>

const page = <P extends string>(path: P, load: () => Loaded) =>
  createRoute({ getParentRoute: () => rootRoute, path, component: lazyRouteComponent(load), validateSearch: search })

export const routes = [
  page('/', (): Loaded => import('~/features/overview/OverviewPage')),
  page('/jobs', (): Loaded => import('~/features/jobs/JobsPage')),
  page('/files', (): Loaded => import('~/features/files/FilesPage')),
  page('/play/$id', (): Loaded => import('~/features/player/PlayerPage')),
  page('/torrents', (): Loaded => import('~/features/torrents/TorrentsPage')),
  page('/providers', (): Loaded => import('~/features/providers/ProvidersPage')),
  page('/library', (): Loaded => import('~/features/library/LibraryPage')),
  page('/settings', (): Loaded => import('~/features/settings/SettingsPage')),
  page('/logs', (): Loaded => import('~/features/logs/LogsPage')),
  page('/backups', (): Loaded => import('~/features/backups/BackupsPage')),
  page('/users', (): Loaded => import('~/features/users/UsersPage')),
  page('/about', (): Loaded => import('~/features/about/AboutPage')),
  page('/setup', (): Loaded => import('~/features/setup/SetupPage')),
] as const

export const router = createRouter({
  routeTree: rootRoute.addChildren([...routes]),
  basepath: root.pathname.replace(/\/$/, '') || '/',
  defaultPreload: 'intent',
  defaultErrorComponent: Failed,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
