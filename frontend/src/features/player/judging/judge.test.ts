import { describe, expect, it } from 'vitest'
import type { Media, MediaTrack } from '~/api/types'
import { judge, missing, type Browser } from './judge'

const video = (codec: string | null, name: string): MediaTrack => ({ kind: 'video', codec, name, language: null, width: 1920, height: 1080, channels: null, default: true })
const audio = (codec: string | null, name: string, language: string | null = null): MediaTrack => ({ kind: 'audio', codec, name, language, width: null, height: null, channels: 6, default: true })
const film = (mime: string | null, ...tracks: MediaTrack[]): Media => ({ container: null, mime, durationSeconds: 7200, tracks, reason: null })

// What Chromium 156 without licensed hardware says.
const known = /^(video\/(mp4|webm|x-matroska)|audio\/(mp4|mpeg|flac))$/
const codecs = /^(avc1|mp4a\.40|vp09|av01|opus|flac)/
const chromium = (over: Partial<Browser> = {}): Browser => ({
  canPlay: (mime) => {
    const [base = '', codec] = mime.split('; codecs=')
    return known.test(base) && (codec === undefined || codecs.test(codec.replaceAll('"', ''))) ? 'probably' : ''
  },
  decoding: null,
  firefox: false,
  ...over,
})

const h264 = video('avc1.640028', 'H.264')
const hevc = video('hvc1.2.4.L150.B0', 'HEVC')
const aac = audio('mp4a.40.2', 'AAC')
const dts = audio('dtsc', 'DTS')

describe('judging', () => {
  it('lets play what the browser decodes', async () => {
    expect(await judge(film('video/mp4; codecs="avc1.640028, mp4a.40.2"', h264, aac), 'video/mp4', 1e9, chromium())).toMatchObject({ outcome: 'plays', because: null, slow: false })
  })

  it('says that the sound is missing when only its codec is refused', async () => {
    const verdict = await judge(film('video/x-matroska; codecs="avc1.640028, dtsc"', h264, dts), null, 1e9, chromium())
    expect(verdict.outcome).toBe('silent')
    expect(missing(verdict, 'audio')).toEqual(['DTS'])
    expect(missing(verdict, 'video')).toEqual([])
  })

  it('believes no browser that claims DTS or TrueHD', async () => {
    const yes = chromium({ canPlay: () => 'maybe' })
    expect((await judge(film('video/x-matroska', h264, audio('dtsc', 'DTS-HD MA')), null, 1, yes)).outcome).toBe('silent')
    expect((await judge(film('video/x-matroska', h264, audio(null, 'TrueHD')), null, 1, yes)).outcome).toBe('silent')
  })

  it('is content with one track of sound that plays', async () => {
    expect((await judge(film('video/x-matroska', h264, dts, aac), null, 1, chromium())).outcome).toBe('plays')
  })

  it('says that the picture is missing', async () => {
    const verdict = await judge(film('video/mp4', hevc, aac), null, 1, chromium())
    expect(verdict.outcome).toBe('blind')
    expect(missing(verdict, 'video')).toEqual(['HEVC'])
  })

  it('says that nothing plays when neither does, and names both', async () => {
    const verdict = await judge(film('video/x-matroska', hevc, dts), null, 1, chromium())
    expect(verdict).toMatchObject({ outcome: 'nothing', because: null })
    expect([...missing(verdict, 'video'), ...missing(verdict, 'audio')]).toEqual(['HEVC', 'DTS'])
  })

  it('says that the container is refused, and judges its tracks by themselves', async () => {
    const verdict = await judge(film('video/mp2t', h264, dts), 'video/mp2t', 1, chromium())
    expect(verdict).toMatchObject({ outcome: 'nothing', because: 'container' })
    expect(verdict.tracks.map(({ plays }) => plays)).toEqual([true, false])
  })

  it('takes decodingInfo at its word over canPlayType', async () => {
    const asked: [string, number, number, number][] = []
    const browser = chromium({
      decoding: async (...question) => {
        asked.push(question)
        return Promise.resolve({ supported: false, smooth: false })
      },
    })
    expect((await judge(film('video/mp4', h264, aac), null, 9e9, browser)).outcome).toBe('blind')
    expect(asked).toEqual([['video/mp4; codecs="avc1.640028"', 1920, 1080, 10_000_000]])
  })

  it('tells of a decoder that is too slow', async () => {
    const browser = chromium({ decoding: async () => Promise.resolve({ supported: true, smooth: false }) })
    expect(await judge(film('video/mp4', h264, aac), null, 1, browser)).toMatchObject({ outcome: 'plays', slow: true })
  })

  it('keeps the first answer when decodingInfo refuses the question', async () => {
    const browser = chromium({ decoding: async () => Promise.reject(new TypeError('no')) })
    expect((await judge(film('video/mp4', h264, aac), null, 1, browser)).outcome).toBe('plays')
  })

  it('offers the players first where Firefox claims Matroska', async () => {
    expect(await judge(film('video/x-matroska', h264, aac), null, 1, chromium({ firefox: true }))).toMatchObject({ outcome: 'unsure', because: 'firefoxMatroska' })
    expect((await judge(film('video/mp4', h264, aac), null, 1, chromium({ firefox: true }))).outcome).toBe('plays')
  })

  it('is unsure of what the server could not read', async () => {
    expect(await judge(film(null), null, 1, chromium())).toMatchObject({ outcome: 'unsure', because: 'unknown' })
    expect(await judge(film(null), 'video/mp4', 1, chromium())).toMatchObject({ outcome: 'unsure', because: 'unknown' })
    expect(await judge(film('video/mp4', video(null, 'unknown'), aac), null, 1, chromium())).toMatchObject({ outcome: 'unsure', because: 'unknown' })
  })

  it('judges music, which has no picture', async () => {
    expect((await judge(film('audio/flac', audio('flac', 'FLAC')), 'audio/flac', 1, chromium())).outcome).toBe('plays')
    expect((await judge(film('audio/mp4', audio('alac', 'ALAC')), 'audio/mp4', 1, chromium())).outcome).toBe('nothing')
  })
})
