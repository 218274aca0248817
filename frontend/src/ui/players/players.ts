import type { System } from './system'

/** The players that a file can be opened in. */
export type PlayerName = 'vlc' | 'mpv' | 'iina' | 'infuse' | 'potplayer' | 'nplayer' | 'mx'

/** Formats of playlist that the server writes. */
export type PlaylistFormat = 'm3u8' | 'm3u' | 'xspf'

/** What is to be played; addresses are absolute and signed. */
export type Playable = { url: string; name: string; subtitle?: string | undefined }

/** How a player gets it: a link of its scheme, or a playlist that the system opens with it. */
export type Way = { scheme: string } | { playlist: PlaylistFormat }

export const labels: Record<PlayerName, string> = { vlc: 'VLC', mpv: 'mpv', iina: 'IINA', infuse: 'Infuse', potplayer: 'PotPlayer', nplayer: 'nPlayer', mx: 'MX Player' }

const on: Record<PlayerName, readonly System[]> = {
  vlc: ['windows', 'mac', 'linux', 'android', 'ios'],
  mpv: ['windows', 'linux', 'mac'],
  iina: ['mac'],
  infuse: ['mac', 'ios'],
  potplayer: ['windows'],
  nplayer: ['ios', 'android'],
  mx: ['android'],
}

const favourites: Record<System, readonly PlayerName[]> = {
  windows: ['vlc', 'potplayer', 'mpv'],
  mac: ['iina', 'vlc', 'infuse', 'mpv'],
  linux: ['vlc', 'mpv'],
  android: ['vlc', 'mx', 'nplayer'],
  ios: ['infuse', 'vlc', 'nplayer'],
}

/** The players of a system, the one that was used last before the others; then those of other systems, for a system that was read wrongly. */
export function players(system: System, last: PlayerName | null): { own: PlayerName[]; others: PlayerName[] } {
  const own = favourites[system]
  const ordered = last !== null && own.includes(last) ? [last, ...own.filter((name) => name !== last)] : [...own]
  return { own: ordered, others: (Object.keys(on) as PlayerName[]).filter((name) => !own.includes(name)) }
}

/** Tells whether a name that was kept is one of a player. */
export function isPlayer(name: string | null): name is PlayerName {
  return name !== null && name in on
}

/** How to open something in a player. A player of another system is asked in the form of its first. */
export function way(player: PlayerName, system: System, { url, name, subtitle }: Playable, safari: boolean): Way {
  const where = on[player].includes(system) ? system : on[player][0]
  const u = encodeURIComponent(url)
  const sub = subtitle === undefined ? '' : `&sub=${encodeURIComponent(subtitle)}`
  switch (player) {
    case 'vlc':
      // Nobody registers vlc:// on desktops, and browsers mangle it.
      if (where === 'ios') return { scheme: `vlc-x-callback://x-callback-url/stream?url=${u}${sub}` }
      if (where === 'android') return { scheme: intent('org.videolan.vlc', url, name) }
      return { playlist: safari ? 'm3u' : 'm3u8' }
    case 'mx':
      return { scheme: intent('com.mxtech.videoplayer.ad', url, name) }
    case 'mpv':
      return { scheme: `mpv-handler://play/${base64Url(url)}` }
    case 'iina':
      return { scheme: `iina://weblink?url=${u}` }
    case 'infuse':
      return { scheme: `infuse://x-callback-url/play?url=${u}&filename=${encodeURIComponent(name)}${sub}` }
    case 'potplayer':
      return { scheme: `potplayer://${url}` }
    case 'nplayer':
      return { scheme: `nplayer-${url}` }
  }
}

/** The command that plays it where mpv has no handler for links. */
export function mpvCommand(url: string): string {
  return `mpv "${url}"`
}

function intent(app: string, url: string, name: string): string {
  return `intent:${url}#Intent;package=${app};type=video/*;S.title=${encodeURIComponent(name)};end`
}

/** Base64 with the alphabet for addresses, without padding (RFC 4648, section 5). */
export function base64Url(value: string): string {
  const bytes = new TextEncoder().encode(value)
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
