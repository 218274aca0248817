import { useEffect, useState, type RefObject } from 'react'

/** What is to be seen of a video. Times in seconds; `buffered` as pairs of start and end. */
export type VideoState = {
  time: number; duration: number; paused: boolean; ended: boolean; waiting: boolean; seeking: boolean; volume: number; muted: boolean; speed: number
  buffered: [number, number][]; stalls: number; firstPicture: number | null; ready: boolean
  /** Pictures shown and left out, and their size; 0 without a picture. */
  pictures: number; dropped: number; width: number; height: number
}

const nothing: VideoState = { time: 0, duration: NaN, paused: true, ended: false, waiting: false, seeking: false, volume: 1, muted: false, speed: 1, buffered: [], stalls: 0, firstPicture: null, ready: false, pictures: 0, dropped: 0, width: 0, height: 0 }

const events = ['timeupdate', 'durationchange', 'play', 'pause', 'playing', 'waiting', 'seeking', 'seeked', 'ended', 'volumechange', 'ratechange', 'progress', 'loadeddata', 'emptied', 'canplay'] as const

/** The stretches of a TimeRanges. */
export function rangesOf(ranges: TimeRanges): [number, number][] {
  return Array.from({ length: ranges.length }, (_, at) => [ranges.start(at), ranges.end(at)])
}

/** Seconds that lie ready behind the position. */
export function bufferedAhead(ranges: readonly [number, number][], time: number): number {
  const here = ranges.find(([start, end]) => start <= time + 0.1 && time < end)
  return here === undefined ? 0 : here[1] - time
}

/** Follows a video. */
export function useVideoState(videoRef: RefObject<HTMLVideoElement | null>): VideoState {
  const [state, setState] = useState(nothing)
  useEffect(() => {
    const video = videoRef.current
    if (video === null) return undefined
    let begun = performance.now()
    const take = ({ type }: Event) => {
      if (type === 'emptied') begun = performance.now()
      const quality = video.getVideoPlaybackQuality()
      setState((before) => {
        // A wait at the very beginning is the first byte's, not a stall.
        const stalled = type === 'waiting' && before.ready && !video.seeking
        const flows = type === 'playing' || type === 'canplay' || type === 'emptied'
        return {
          time: video.currentTime, duration: video.duration, paused: video.paused, ended: video.ended, seeking: video.seeking, volume: video.volume, muted: video.muted, speed: video.playbackRate,
          buffered: rangesOf(video.buffered), waiting: type === 'waiting' || (before.waiting && !flows), stalls: type === 'emptied' ? 0 : before.stalls + (stalled ? 1 : 0),
          firstPicture: type === 'emptied' ? null : before.firstPicture ?? (type === 'loadeddata' ? (performance.now() - begun) / 1000 : null),
          pictures: quality.totalVideoFrames, dropped: quality.droppedVideoFrames, width: video.videoWidth, height: video.videoHeight,
          ready: type === 'emptied' ? false : before.ready || type === 'loadeddata',
        }
      })
    }
    for (const event of events) video.addEventListener(event, take)
    return () => {
      for (const event of events) video.removeEventListener(event, take)
    }
  }, [videoRef])
  return state
}
