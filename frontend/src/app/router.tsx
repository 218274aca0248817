import { createRootRoute, createRoute, createRouter, lazyRouteComponent, parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import { root } from '~/api/address'
import { Failed } from './Failed'
import { Gate } from './Gate'
import { NotFound } from './NotFound'
import { Pending } from './Pending'

const rootRoute = createRootRoute({ component: Gate, notFoundComponent: NotFound })

type Search = Record<string, string | undefined>
const search = (values: Record<string, unknown>): Search =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== '').map(([name, value]) => [name, String(value as string | number | boolean)]))

type Page = () => Promise<{ default: () => React.ReactNode }>

// What a page gives is not looked into here: pages use the router's types, which would then hang on themselves.
const page = <P extends string>(path: P, load: () => Promise<{ default: unknown }>) =>
  createRoute({ getParentRoute: () => rootRoute, path, component: lazyRouteComponent(load as Page), validateSearch: search })

export const routes = [
  page('/', () => import('~/features/overview/OverviewPage')),
  page('/jobs', () => import('~/features/jobs/JobsPage')),
  page('/files', () => import('~/features/files/FilesPage')),
  page('/play/$id', () => import('~/features/player/PlayerPage')),
  page('/torrents', () => import('~/features/torrents/TorrentsPage')),
  page('/releases', () => import('~/features/releases/ReleasesPage')),
  page('/providers', () => import('~/features/providers/ProvidersPage')),
  page('/library', () => import('~/features/library/LibraryPage')),
  page('/checks', () => import('~/features/health/HealthPage')),
  page('/settings', () => import('~/features/settings/SettingsPage')),
  page('/logs', () => import('~/features/logs/LogsPage')),
  page('/backups', () => import('~/features/backups/BackupsPage')),
  page('/users', () => import('~/features/users/UsersPage')),
  page('/about', () => import('~/features/about/AboutPage')),
  page('/setup', () => import('~/features/setup/SetupPage')),
] as const

export const router = createRouter({
  routeTree: rootRoute.addChildren([...routes]),
  // Values are texts and stand in the address as they are; read as JSON, a long id would lose its last digits.
  parseSearch: parseSearchWith((value) => value),
  stringifySearch: stringifySearchWith(String),
  basepath: root.pathname.replace(/\/$/, '') || '/',
  defaultPreload: 'intent',
  defaultErrorComponent: Failed,
  defaultPendingComponent: Pending,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
