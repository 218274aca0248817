import { describe, expect, it } from 'vitest'
import { shiftCues } from './useSubtitles'
import { bufferedAhead } from './useVideoState'

const cue = (startTime: number, endTime: number) => ({ startTime, endTime }) as TextTrackCue

describe('subtitles', () => {
  it('move by their offset from where the file has them, however often', () => {
    const cues = [cue(1, 2), cue(10, 12)]
    const origin = new WeakMap<TextTrackCue, { start: number; end: number }>()
    shiftCues(cues, 0.5, origin)
    shiftCues(cues, -0.25, origin)
    expect(cues).toEqual([cue(0.75, 1.75), cue(9.75, 11.75)])
    shiftCues(cues, 0, origin)
    expect(cues).toEqual([cue(1, 2), cue(10, 12)])
  })

  it('come back whole after an offset that put them before the beginning', () => {
    const cues = [cue(1, 2)]
    const origin = new WeakMap<TextTrackCue, { start: number; end: number }>()
    shiftCues(cues, -5, origin)
    expect(cues).toEqual([cue(0, 0)])
    shiftCues(cues, 0, origin)
    expect(cues).toEqual([cue(1, 2)])
  })
})

describe('what is buffered', () => {
  it('counts from the position to the end of its stretch', () => {
    expect(bufferedAhead([[0, 10], [60, 90]], 70)).toBe(20)
    expect(bufferedAhead([[0, 10], [60, 90]], 30)).toBe(0)
    expect(bufferedAhead([], 0)).toBe(0)
  })
})
