import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { fileLink, linkAddress } from '~/api/files'
import { explain, isStale, type Failure } from '../judging/failure'
import { keepPosition, readPositions } from '../resume/positions'

/** Seconds between two times that the position is kept. */
const Every = 5

/**
 * Gives a video its signed link and brings it back to where it was left. It keeps that link, whatever else is read anew: another address would stop the film. A link that has expired
 * is made anew without a word, once. When the page is left the link is taken away, or the browser would go on reading.
 */
export function useSource(id: string, videoRef: RefObject<HTMLVideoElement | null>) {
  const { data: link, error: linkError, isFetching, refetch } = useQuery(fileLink(id))
  const [url, setUrl] = useState<string>()
  // An old link that is being replaced is not taken.
  if (url === undefined && link !== undefined && !isFetching) setUrl(linkAddress(link))
  const [failure, setFailure] = useState<Failure | null>(null)
  const [resumed, setResumed] = useState<number | null>(null)
  const at = useRef<number | null>(null)
  const plays = useRef(true)
  const renewed = useRef(false)

  useEffect(() => {
    const video = videoRef.current
    if (video === null || url === undefined) return undefined
    let kept = 0
    let gone = false
    const keep = () => {
      if (video.readyState > 0) keepPosition(id, video.ended ? video.duration : video.currentTime, video.duration)
    }
    const known = () => {
      const before = at.current ?? readPositions()[id]?.at ?? null
      if (before === null) return
      if (at.current === null) setResumed(before)
      video.currentTime = before
    }
    const time = () => {
      at.current = video.currentTime
      if (Math.abs(video.currentTime - kept) < Every) return
      kept = video.currentTime
      keep()
    }
    const failed = async () => {
      const why = await explain(video.error?.code ?? 0, url)
      if (gone) return
      if (!isStale(why) || renewed.current) return setFailure(why)
      renewed.current = true
      await renew(why)
    }
    const renew = async (why: Failure) => {
      const { data, isSuccess } = await refetch()
      if (gone) return
      const next = isSuccess ? linkAddress(data) : url
      if (next === url) setFailure(why)
      else setUrl(next)
    }
    const error = () => void failed()
    video.addEventListener('loadedmetadata', known)
    video.addEventListener('timeupdate', time)
    video.addEventListener('pause', keep)
    video.addEventListener('ended', keep)
    video.addEventListener('error', error)
    video.src = url
    // A browser may want a click first: then the button in the middle waits.
    if (plays.current) video.play().catch(() => undefined)
    return () => {
      gone = true
      plays.current = !video.paused
      keep()
      video.removeEventListener('loadedmetadata', known)
      video.removeEventListener('timeupdate', time)
      video.removeEventListener('pause', keep)
      video.removeEventListener('ended', keep)
      video.removeEventListener('error', error)
      video.pause()
      video.removeAttribute('src')
      video.load()
    }
  }, [id, url, videoRef, refetch])

  const again = useCallback(() => {
    setFailure(null)
    renewed.current = false
    videoRef.current?.load()
    videoRef.current?.play().catch(() => undefined)
  }, [videoRef])
  const restart = useCallback(() => {
    setResumed(null)
    if (videoRef.current !== null) videoRef.current.currentTime = 0
  }, [videoRef])
  return { url, error: linkError, failure, again, resumed, restart, forget: useCallback(() => setResumed(null), []) }
}
