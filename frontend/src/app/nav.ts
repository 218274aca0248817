import { IconActivity, IconArchive, IconBooks, IconFolder, IconHeartbeat, IconInfoCircle, IconListCheck, IconMagnet, IconNotes, IconServer, IconSettings, IconUsers, IconZoom } from '@tabler/icons-react'
import type { Right } from '~/api/session'

/** The pages of the menu, in order; `right` is what one needs to see it. */
export const pages = [
  { to: '/', name: 'overview', icon: IconActivity, right: 'read', group: 0 },
  { to: '/jobs', name: 'jobs', icon: IconListCheck, right: 'read', group: 0 },
  { to: '/files', name: 'files', icon: IconFolder, right: 'read', group: 0 },
  { to: '/torrents', name: 'torrents', icon: IconMagnet, right: 'read', group: 0 },
  { to: '/releases', name: 'releases', icon: IconZoom, right: 'add', group: 0 },
  { to: '/providers', name: 'providers', icon: IconServer, right: 'read', group: 0 },
  { to: '/library', name: 'library', icon: IconBooks, right: 'read', group: 0 },
  { to: '/checks', name: 'health', icon: IconHeartbeat, right: 'read', group: 0 },
  { to: '/settings', name: 'settings', icon: IconSettings, right: 'manage', group: 1 },
  { to: '/users', name: 'users', icon: IconUsers, right: 'manage', group: 1 },
  { to: '/backups', name: 'backups', icon: IconArchive, right: 'manage', group: 1 },
  { to: '/logs', name: 'logs', icon: IconNotes, right: 'manage', group: 1 },
  { to: '/about', name: 'about', icon: IconInfoCircle, right: 'read', group: 1 },
] as const satisfies readonly { to: string; name: string; icon: unknown; right: Right; group: number }[]
