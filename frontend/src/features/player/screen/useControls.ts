import { useCallback, useMemo, useState, type RefObject } from 'react'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import type { Command } from '../keys/commands'
import { useAutoplay } from '../resume/useAutoplay'
import { text } from '../text'

/** Speeds to choose from. */
export const Speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const
/** The rate of pictures is not told to pages: 24 is the slowest that is common, so that a step is never less than one picture. */
const Frame = 1 / 24

type Subtitles = { cycle: () => void; shift: number; setShift: (seconds: number) => void }
type Neighbours = { next: (() => void) | null; previous: (() => void) | null }

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

/** What people can do to a video, by buttons and keys alike. `said` is told on the screen for a moment. */
export function useControls(videoRef: RefObject<HTMLVideoElement | null>, stageRef: RefObject<HTMLElement | null>, { cycle, shift, setShift }: Subtitles, { next, previous }: Neighbours) {
  const t = useText(text)
  const format = useFormat()
  const [overlay, setOverlay] = useState(false)
  const [help, setHelp] = useState(false)
  const [autoplay, setAutoplay] = useAutoplay()
  const [said, setSaid] = useState<{ text: string; at: number } | null>(null)
  const say = useCallback((what: string) => setSaid({ text: what, at: performance.now() }), [])

  const seek = useCallback((to: number) => {
    const video = videoRef.current
    if (video !== null && Number.isFinite(video.duration)) video.currentTime = within(to, 0, Math.max(0, video.duration - 0.05))
  }, [videoRef])
  const toggle = useCallback(() => {
    const video = videoRef.current
    if (video === null) return
    if (video.paused) video.play().catch(() => undefined)
    else video.pause()
  }, [videoRef])
  const skip = useCallback((by: number) => seek((videoRef.current?.currentTime ?? 0) + by), [videoRef, seek])
  const setVolume = useCallback((to: number) => {
    const video = videoRef.current
    if (video === null) return
    video.volume = within(Math.round(to * 100) / 100, 0, 1)
    video.muted = false
  }, [videoRef])
  const setSpeed = useCallback((to: number) => {
    const video = videoRef.current
    if (video === null) return
    video.playbackRate = to
    say(t.speedNow(`${to}×`))
  }, [videoRef, say, t])
  const fullscreen = useCallback(() => {
    const screen: (HTMLVideoElement & { webkitEnterFullscreen?: () => void }) | null = videoRef.current
    if (document.fullscreenElement !== null) void document.exitFullscreen()
    else if (stageRef.current !== null && 'requestFullscreen' in stageRef.current) stageRef.current.requestFullscreen().catch(() => undefined)
    // An iPhone shows nothing but videos in full.
    else screen?.webkitEnterFullscreen?.()
  }, [videoRef, stageRef])
  const pip = useCallback(() => {
    if (document.pictureInPictureElement !== null) void document.exitPictureInPicture()
    else videoRef.current?.requestPictureInPicture().catch(() => undefined)
  }, [videoRef])

  const run = useCallback((command: Command) => {
    const video = videoRef.current
    if (video === null) return
    switch (command.do) {
      case 'toggle': return toggle()
      case 'skip': return skip(command.by)
      case 'share': return seek(command.to * video.duration)
      case 'frame':
        video.pause()
        return skip(command.by * Frame)
      case 'volume':
        setVolume(video.volume + command.by)
        return say(t.volumeNow(format.percent(video.volume)))
      case 'speed': {
        const at = Speeds.findIndex((speed) => speed >= video.playbackRate) + command.by
        return setSpeed(Speeds[within(at, 0, Speeds.length - 1)] ?? 1)
      }
      case 'mute':
        video.muted = !video.muted
        return undefined
      case 'shift': {
        const now = Math.round((shift + command.by) * 10) / 10
        setShift(now)
        return say(t.shift(`${now > 0 ? '+' : ''}${format.number(now)}`))
      }
      case 'captions': return cycle()
      case 'fullscreen': return fullscreen()
      case 'pip': return pip()
      case 'next': return next?.()
      case 'previous': return previous?.()
      case 'autoplay':
        setAutoplay(!autoplay)
        return say(autoplay ? t.autoplayOff : t.autoplayOn)
      case 'overlay': return setOverlay((shown) => !shown)
      case 'help': return setHelp((shown) => !shown)
    }
  }, [videoRef, toggle, skip, seek, setVolume, setSpeed, say, t, format, shift, setShift, cycle, fullscreen, pip, next, previous, autoplay, setAutoplay])

  return useMemo(() => ({ run, seek, skip, toggle, setVolume, setSpeed, overlay, autoplay, help, setHelp, said }), [run, seek, skip, toggle, setVolume, setSpeed, overlay, autoplay, help, said])
}

export type Controls = ReturnType<typeof useControls>
