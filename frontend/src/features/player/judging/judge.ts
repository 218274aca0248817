import type { Media, MediaTrack } from '~/api/types'

/** What is asked of a browser. */
export type Browser = {
  /** As `HTMLMediaElement.canPlayType`: '' is a no. */
  canPlay: (mime: string) => string
  /** As `mediaCapabilities.decodingInfo` for a video track; null: it cannot be asked. */
  decoding: ((mime: string, width: number, height: number, bitrate: number) => Promise<{ supported: boolean; smooth: boolean }>) | null
  /** Firefox says yes to Matroska from 145 on, and may load the whole film before it plays. */
  firefox: boolean
}

/** What becomes of a track; null: not known. */
export type TrackVerdict = { track: MediaTrack; plays: boolean | null }

/** What the browser makes of a file. `silent`: picture without sound; `blind`: sound without picture; `unsure`: worth a try, after the players have been offered. */
export type Verdict = {
  outcome: 'plays' | 'silent' | 'blind' | 'nothing' | 'unsure'
  /** Why, where it is not the tracks: the container is refused, not known, or one that this browser reads badly. */
  because: 'container' | 'unknown' | 'firefoxMatroska' | null
  /** The decoder is there but too slow for this picture. */
  slow: boolean
  tracks: TrackVerdict[]
}

/** Codecs that no browser decodes: the names the server gives them. */
const Nowhere = /\b(dts|truehd|mlp|wma|wmv|vc-?1|realvideo|realaudio|mpeg-?2 video|xvid|divx|mpeg-4 visual)/i

/** Judges each track apart, because a picture without sound is the usual surprise. `size` in bytes and the length give the bitrate. */
export async function judge(media: Media, contentType: string | null, size: number, browser: Browser): Promise<Verdict> {
  const base = media.mime?.split(';')[0]?.trim() ?? contentType
  const verdict = (outcome: Verdict['outcome'], because: Verdict['because'], tracks: TrackVerdict[], slow = false): Verdict => ({ outcome, because, slow, tracks })
  if (base === null) return verdict('unsure', 'unknown', [])
  const container = browser.canPlay(base) !== ''
  const tracks = await Promise.all(media.tracks.map(async (track) => ({ track, ...await ask(track, base, container, media, size, browser) })))
  const told = tracks.map(({ track, plays }) => ({ track, plays }))
  if (!container) return verdict('nothing', 'container', told)
  if (media.tracks.length === 0) return verdict('unsure', 'unknown', told)
  const picture = best(told, 'video')
  const sound = best(told, 'audio')
  if (picture === false && sound !== true) return verdict('nothing', null, told)
  if (picture === false) return verdict('blind', null, told)
  if (sound === false) return verdict(picture === undefined ? 'nothing' : 'silent', null, told)
  if (browser.firefox && /matroska/i.test(base)) return verdict('unsure', 'firefoxMatroska', told)
  if (picture === null || sound === null) return verdict('unsure', 'unknown', told)
  return verdict('plays', null, told, tracks.some((track) => track.slow))
}

/** The tracks that the browser has no decoder for, by the names of their codecs, each once. */
export function missing(verdict: Verdict, kind: MediaTrack['kind']): string[] {
  return [...new Set(verdict.tracks.filter(({ track, plays }) => track.kind === kind && plays === false).map(({ track }) => track.name))]
}

async function ask(track: MediaTrack, base: string, container: boolean, media: Media, size: number, browser: Browser): Promise<{ plays: boolean | null; slow: boolean }> {
  if (track.kind === 'subtitle') return { plays: null, slow: false }
  if (Nowhere.test(track.name)) return { plays: false, slow: false }
  if (track.codec === null) return { plays: null, slow: false }
  // A codec is asked for in a container that the browser knows, so that the answer is about the codec.
  const mime = `${container ? base : track.kind === 'video' ? 'video/mp4' : 'audio/mp4'}; codecs="${track.codec}"`
  if (browser.canPlay(mime) === '') return { plays: false, slow: false }
  if (track.kind !== 'video' || browser.decoding === null || track.width === null || track.height === null) return { plays: true, slow: false }
  try {
    const seconds = media.durationSeconds ?? 0
    const { supported, smooth } = await browser.decoding(mime, track.width, track.height, seconds > 0 ? Math.round(size * 8 / seconds) : 8_000_000)
    return { plays: supported, slow: supported && !smooth }
  } catch {
    // The browser does not like the question: its first answer stands.
    return { plays: true, slow: false }
  }
}

/** Browsers take the first track of a kind that they can decode. Undefined: there is none of the kind. */
function best(tracks: readonly TrackVerdict[], kind: MediaTrack['kind']): boolean | null | undefined {
  const own = tracks.filter(({ track }) => track.kind === kind)
  if (own.length === 0) return undefined
  if (own.some(({ plays }) => plays === true)) return true
  return own.some(({ plays }) => plays === null) ? null : false
}
