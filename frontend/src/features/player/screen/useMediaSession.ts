import { useEffect } from 'react'
import type { VideoState } from './useVideoState'

type Handlers = { toggle: () => void; skip: (by: number) => void; seek: (to: number) => void; next: (() => void) | null; previous: (() => void) | null }

/** Tells the system what plays, so that its keys and lock screen work. */
export function useMediaSession(name: string, album: string, { time, duration, paused, speed }: VideoState, { toggle, skip, seek, next, previous }: Handlers): void {
  const session = (navigator as { mediaSession?: MediaSession }).mediaSession
  useEffect(() => {
    if (session === undefined) return undefined
    session.metadata = new MediaMetadata({ title: name, album })
    return () => {
      session.metadata = null
      session.playbackState = 'none'
    }
  }, [session, name, album])
  useEffect(() => {
    if (session === undefined) return undefined
    const actions: [MediaSessionAction, MediaSessionActionHandler | null][] = [
      ['play', toggle], ['pause', toggle], ['seekbackward', ({ seekOffset }) => skip(-(seekOffset ?? 10))], ['seekforward', ({ seekOffset }) => skip(seekOffset ?? 10)],
      ['seekto', ({ seekTime }) => { if (seekTime !== undefined) seek(seekTime) }], ['nexttrack', next], ['previoustrack', previous],
    ]
    const set = (action: MediaSessionAction, handler: MediaSessionActionHandler | null) => {
      try {
        session.setActionHandler(action, handler)
      } catch {
        // An action that this browser does not know.
      }
    }
    for (const [action, handler] of actions) set(action, handler)
    return () => {
      for (const [action] of actions) set(action, null)
    }
  }, [session, toggle, skip, seek, next, previous])
  useEffect(() => {
    if (session === undefined) return
    session.playbackState = paused ? 'paused' : 'playing'
    if (Number.isFinite(duration) && duration > 0) session.setPositionState({ duration, position: Math.min(time, duration), playbackRate: speed })
  }, [session, paused, duration, speed, time])
}
