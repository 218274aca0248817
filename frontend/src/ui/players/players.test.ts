import { describe, expect, it } from 'vitest'
import { base64Url, isPlayer, mpvCommand, players, way } from './players'
import { isSafari, systemOf } from './system'

const film = { url: 'http://nas:8080/base/view/TOKEN/Film%20%28a%26b%29.mkv', name: 'Film (a&b).mkv' }
const U = 'http%3A%2F%2Fnas%3A8080%2Fbase%2Fview%2FTOKEN%2FFilm%2520%2528a%2526b%2529.mkv'

describe('links of players', () => {
  it.each([
    ['vlc', 'ios', { scheme: `vlc-x-callback://x-callback-url/stream?url=${U}` }],
    ['vlc', 'android', { scheme: `intent:${film.url}#Intent;package=org.videolan.vlc;type=video/*;S.title=Film%20(a%26b).mkv;end` }],
    ['vlc', 'windows', { playlist: 'm3u8' }],
    ['vlc', 'linux', { playlist: 'm3u8' }],
    ['mx', 'android', { scheme: `intent:${film.url}#Intent;package=com.mxtech.videoplayer.ad;type=video/*;S.title=Film%20(a%26b).mkv;end` }],
    ['iina', 'mac', { scheme: `iina://weblink?url=${U}` }],
    ['infuse', 'ios', { scheme: `infuse://x-callback-url/play?url=${U}&filename=Film%20(a%26b).mkv` }],
    ['potplayer', 'windows', { scheme: `potplayer://${film.url}` }],
    ['nplayer', 'ios', { scheme: `nplayer-${film.url}` }],
  ] as const)('open in %s on %s', (player, system, expected) => {
    expect(way(player, system, film, false)).toEqual(expected)
  })

  it('give Safari an .m3u: it plays an .m3u8 itself', () => {
    expect(way('vlc', 'mac', film, true)).toEqual({ playlist: 'm3u' })
  })

  it('take the subtitle along where the player can', () => {
    const subtitle = 'http://nas:8080/view/T/a.srt'
    expect(way('infuse', 'ios', { ...film, subtitle }, false)).toEqual({ scheme: `infuse://x-callback-url/play?url=${U}&filename=Film%20(a%26b).mkv&sub=http%3A%2F%2Fnas%3A8080%2Fview%2FT%2Fa.srt` })
    expect(way('vlc', 'ios', { ...film, subtitle }, false)).toEqual({ scheme: `vlc-x-callback://x-callback-url/stream?url=${U}&sub=http%3A%2F%2Fnas%3A8080%2Fview%2FT%2Fa.srt` })
  })

  it('carry the address to mpv in base64 without characters that mean something in an address', () => {
    const link = way('mpv', 'linux', film, false)
    const told = 'scheme' in link ? link.scheme.replace('mpv-handler://play/', '') : ''
    expect(told).toMatch(/^[A-Za-z0-9_-]+$/)
    expect(atob(told.replaceAll('-', '+').replaceAll('_', '/'))).toBe(film.url)
    expect(base64Url('ÿÿ?')).toBe('w7_Dvz8')
  })

  it('use the form of the player\'s own system elsewhere', () => {
    expect(way('iina', 'windows', film, false)).toEqual({ scheme: `iina://weblink?url=${U}` })
  })

  it('quote the address for a shell', () => {
    expect(mpvCommand(film.url)).toBe(`mpv "${film.url}"`)
  })
})

describe('the list of players', () => {
  it('has this system\'s first', () => {
    expect(players('mac', null).own).toEqual(['iina', 'vlc', 'infuse', 'mpv'])
    expect(players('mac', null).others).toEqual(['potplayer', 'nplayer', 'mx'])
  })

  it('has the one that was used last before all', () => {
    expect(players('windows', 'mpv').own).toEqual(['mpv', 'vlc', 'potplayer'])
  })

  it('does not lead with a player of another system', () => {
    expect(players('windows', 'iina').own).toEqual(['vlc', 'potplayer', 'mpv'])
  })

  it('knows its names', () => {
    expect(isPlayer('vlc')).toBe(true)
    expect(isPlayer('winamp')).toBe(false)
    expect(isPlayer(null)).toBe(false)
  })
})

describe('the system', () => {
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'
  it.each([
    [mac, 0, 'mac'],
    [mac, 5, 'ios'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1', 5, 'ios'],
    ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', 5, 'android'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', 10, 'windows'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 0, 'linux'],
  ])('of %s with %i touch points', (agent, touch, system) => {
    expect(systemOf(agent, touch)).toBe(system)
  })

  it('tells Safari from those that name it, too', () => {
    expect(isSafari(mac)).toBe(true)
    expect(isSafari('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0 Safari/537.36')).toBe(false)
  })
})
