import { skipToken, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { serverAhead } from '~/api/clock'
import { useLive } from '~/api/LiveProvider'
import { keys } from '~/api/live'
import type { Job } from '~/api/types'
import { matches, type JobView } from './filter'
import { hiddenKey, NoneHidden } from './hidden'
import { KnownList, offsetsOf, pageQuery, unhidden } from './pages'

/** Milliseconds between two reads of the pages on the screen while jobs come and go. */
const Every = 1000

/**
 * The rows of a view, page by page as they come on the screen. While `hold` (the list is scrolled, a menu is open) rows keep their places: they are patched, but
 * what came meanwhile waits in `news` until `refresh`.
 */
export function useJobList(view: JobView, hold: boolean) {
  const client = useQueryClient()
  const [offsets, setOffsets] = useState<readonly number[]>([0])
  const [arrived, setArrived] = useState<ReadonlySet<string>>(() => new Set())
  const [gone, setGone] = useState<ReadonlySet<string>>(() => new Set())
  const hiddenIds = useQuery<ReadonlySet<string>>({ queryKey: hiddenKey, queryFn: skipToken, staleTime: Infinity, gcTime: Infinity }).data ?? NoneHidden
  const timer = useRef<number | undefined>(undefined)

  // Rows are read from the cache below, which the answers' getters do not see.
  const answers = useQueries({ queries: offsets.map((offset) => ({ ...pageQuery(view, offset), refetchOnMount: !hold, notifyOnChangeProps: ['data' as const, 'error' as const] })) })
  const known = new KnownList(client, view)
  const hidden = known.placesOf(hiddenIds)

  const refresh = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = undefined
    setArrived(new Set())
    setGone(new Set())
    void client.invalidateQueries({ queryKey: keys.jobPages })
  }, [client])
  useEffect(() => () => clearTimeout(timer.current), [])

  useLive((event) => {
    if (event.name !== 'jobs' || !event.isMoved) return
    if (!hold) {
      timer.current ??= window.setTimeout(refresh, Every)
      return
    }
    const { changed, removed } = event.data
    const list = new KnownList(client, view)
    // New is what was added after the list was last read.
    const since = list.readAt + serverAhead()
    const fresh = changed.filter((job) => Date.parse(job.added) > since && matches(view.filter, job) && list.find(job.id) < 0)
    if (fresh.length > 0) setArrived((ids) => new Set([...ids, ...fresh.map((job) => job.id)]))
    if (removed.length > 0) {
      setArrived((ids) => (removed.some((id) => ids.has(id)) ? new Set([...ids].filter((id) => !removed.includes(id))) : ids))
      setGone((ids) => new Set([...ids, ...removed.filter((id) => list.find(id) >= 0)]))
    }
  })

  // A new state for another page only: not for each row that is scrolled by.
  const onRange = useCallback((first: number, last: number) => {
    const now = offsetsOf(first, last)
    setOffsets((was) => (was.length === now.length && was.every((offset, at) => offset === now[at]) ? was : now))
  }, [])
  return {
    count: Math.max(0, known.total - hidden.length),
    row: (place: number): Job | undefined => known.at(unhidden(place, hidden)),
    find: (id: string): number => {
      const at = known.find(id)
      return at < 0 ? -1 : at - hidden.filter((place) => place < at).length
    },
    loaded: (): Job[] => [...known.all()].filter((job) => !hiddenIds.has(job.id)),
    latest: known.latest,
    error: known.latest === undefined ? answers.find((answer) => answer.error !== null)?.error ?? null : null,
    isGone: (id: string) => gone.has(id),
    news: { arrived: arrived.size, gone: gone.size },
    refresh, onRange,
  }
}

/** The list as a page shows it. */
export type JobList = ReturnType<typeof useJobList>
