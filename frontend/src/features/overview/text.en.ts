import { plural } from '~/ui/text/catalogue'

export const en = {
  title: 'Overview',
  now: 'now', lastHour: 'Last hour by provider', provider: 'Provider', rateNow: 'Now', mean: 'Mean', peak: 'Peak', torrents: 'Torrents', all: 'All',
  chart: 'Rate by provider over the last hour. The table below has the figures.',
  streams: 'Streams', noStreams: 'Nothing plays now.', streamOf: (program: string, address: string) => `${program} at ${address}`,
  states: { streaming: 'Streaming', waiting: 'Waiting', idle: 'Idle' },
  ahead: (size: string) => `${size} ahead`, waits: (count: number, time: string) => `${plural('en', count, 'wait', 'waits')}, ${time}`, firstByte: (time: string) => `first byte after ${time}`, waited: (time: string, article: number | null, when: string, story: string | null) => `Waited ${time}${article === null ? '' : ` for article ${article}`} at ${when}${story === null ? '' : `: ${story}`}`, filled: (size: string, article: number, reason: string) => `${size} replaced by filler, the latest for article ${article}: ${reason}`, waitsFor: (what: string, provider: string | null) => `Waits for ${what}${provider === null ? '' : ` from ${provider}`}`,
  end: 'End', endOf: (name: string) => `End the stream of ${name}`, position: 'Position', notEnded: 'Not ended',
  importing: 'Importing', noImports: 'Nothing is being imported.', inQueue: (count: number) => `${plural('en', count, 'job', 'jobs')} in the queue`,
  needs: 'Needs you', allWell: 'All is well.', retry: 'Retry', details: 'Details', allFailed: (count: number) => `All ${count.toLocaleString('en')} failed jobs`,
  notReady: 'Not ready', providerDown: (name: string) => `${name} is down`, since: (when: string) => `since ${when}`, nextTry: (when: string) => `next try ${when}`, see: 'Open',
  setup: { user: 'Nobody can sign in yet: make an account.', provider: 'There is no Usenet provider yet.', webdav: 'WebDAV has no password yet: players cannot connect.', arrs: 'Sonarr and Radarr are not connected.' },
  setupGo: { user: 'Make an account', provider: 'Add a provider', webdav: 'Set a password', arrs: 'Connect' },
  machine: 'Machine', disk: 'Disk', diskFree: (free: string, total: string) => `${free} of ${total} free`, buffers: 'Buffers', of: (used: string, most: string) => `${used} of ${most}`, process: 'Memory', cpu: 'CPU', cache: 'Cache',
  emptyTitle: 'Nothing plays yet', ways: 'Three ways to play',
  wayPage: 'In this page', wayPageText: 'Open Files, choose a film, press Play.', openFiles: 'Open Files',
  wayDav: 'In a player', wayDavText: 'Infuse, VLC, Kodi: add a WebDAV share with this address.',
  wayMount: 'In Jellyfin, Plex or Emby', wayMountText: 'Mount it with rclone, then add the folder to your library.',
  firstAdd: 'First add something: drop an .nzb or .torrent here.', add: 'Add',
}
