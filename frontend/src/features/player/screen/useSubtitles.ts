import { useCallback, useEffect, useState, type RefObject } from 'react'
import type { FileDetails } from '~/api/types'

const Kept = 'nzbdav.subtitles'
type Times = { start: number; end: number }
/** Pixels of the controls, which must not hide a line. */
const Bar = 100
/** A line of subtitles takes about this share of the picture's height. */
const Line = 0.06

/** Moves cues by seconds from where their file has them. Not below zero: a cue that would end before the film begins is shown at no time. */
export function shiftCues(cues: Iterable<TextTrackCue>, by: number, origin: WeakMap<TextTrackCue, Times>): void {
  for (const cue of cues) {
    let times = origin.get(cue)
    if (times === undefined) origin.set(cue, times = { start: cue.startTime, end: cue.endTime })
    cue.startTime = Math.max(0, times.start + by)
    cue.endTime = Math.max(0, times.end + by)
  }
}

/** Lifts cues that stand at the bottom by lines, while the controls are there. */
function liftCues(cues: Iterable<TextTrackCue>, lines: number): void {
  for (const cue of cues) {
    if (cue instanceof VTTCue && (cue.line === 'auto' || cue.line < 0)) cue.line = lines === 0 ? 'auto' : -1 - lines
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
export function useSubtitles(videoRef: RefObject<HTMLVideoElement | null>, subtitles: FileDetails['subtitles'], lifted: boolean) {
  const [shown, setShown] = useState<string | null>(() => {
    const language = preferred()
    return subtitles.find((one) => language !== null && (one.language ?? one.name) === language)?.id ?? null
  })
  const [shift, setShift] = useState(0)
  const [origin] = useState(() => new WeakMap<TextTrackCue, Times>())

  const apply = useCallback(() => {
    for (const element of videoRef.current?.querySelectorAll('track') ?? []) {
      element.track.mode = element.id === `subtitle-${shown}` ? 'showing' : 'disabled'
      if (element.track.mode !== 'showing' || element.track.cues === null) continue
      const cues = Array.from(element.track.cues)
      shiftCues(cues, shift, origin)
      liftCues(cues, lifted ? Math.ceil(Bar / (Line * (videoRef.current?.clientHeight ?? 600))) : 0)
    }
  }, [videoRef, shown, shift, origin, lifted])
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
