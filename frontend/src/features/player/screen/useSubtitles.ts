import { useCallback, useEffect, useState, type RefObject } from 'react'
import type { FileDetails } from '~/api/types'

const Kept = 'nzbdav.subtitles'
type Times = { start: number; end: number }

/** Moves cues by seconds from where their file has them. Not below zero: a cue that would end before the film begins is shown at no time. */
export function shiftCues(cues: Iterable<TextTrackCue>, by: number, origin: WeakMap<TextTrackCue, Times>): void {
  for (const cue of cues) {
    let times = origin.get(cue)
    if (times === undefined) origin.set(cue, times = { start: cue.startTime, end: cue.endTime })
    cue.startTime = Math.max(0, times.start + by)
    cue.endTime = Math.max(0, times.end + by)
  }
}

function preferred(): string | null {
  try {
    return localStorage.getItem(Kept)
  } catch {
    return null
  }
}

function keep(language: string): void {
  try {
    localStorage.setItem(Kept, language)
  } catch {
    // Storage is off: it holds for this film.
  }
}

/** The subtitles beside a film: which is shown, and by how much it is moved. The language that was shown last is shown again. */
export function useSubtitles(videoRef: RefObject<HTMLVideoElement | null>, subtitles: FileDetails['subtitles']) {
  const [shown, setShown] = useState<string | null>(() => {
    const language = preferred()
    return subtitles.find((one) => language !== null && (one.language ?? one.name) === language)?.id ?? null
  })
  const [shift, setShift] = useState(0)
  const [origin] = useState(() => new WeakMap<TextTrackCue, Times>())

  const apply = useCallback(() => {
    for (const element of videoRef.current?.querySelectorAll('track') ?? []) {
      element.track.mode = element.id === `subtitle-${shown}` ? 'showing' : 'disabled'
      if (element.track.mode === 'showing' && element.track.cues !== null) shiftCues(Array.from(element.track.cues), shift, origin)
    }
  }, [videoRef, shown, shift, origin])
  useEffect(() => {
    apply()
    const tracks = [...videoRef.current?.querySelectorAll('track') ?? []]
    for (const track of tracks) track.addEventListener('load', apply)
    return () => {
      for (const track of tracks) track.removeEventListener('load', apply)
    }
  }, [apply, videoRef])

  const show = useCallback((id: string | null) => {
    const one = subtitles.find((subtitle) => subtitle.id === id)
    keep(one === undefined ? 'off' : one.language ?? one.name)
    setShown(id)
  }, [subtitles])
  /** The next one, then none. */
  const cycle = useCallback(() => {
    const at = subtitles.findIndex(({ id }) => id === shown)
    show(subtitles[at + 1]?.id ?? null)
  }, [subtitles, shown, show])
  return { shown, show, cycle, shift, setShift }
}
