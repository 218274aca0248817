import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { keys } from '~/api/live'
import { readLines, type LogFilter } from './calls'
import { appended, begun } from './tail'

/** Milliseconds between two looks for new lines. */
const Every = 1500

/** The lines that fit a filter; while `follow` holds and the page is visible, new ones are added. */
export function useTail(filter: LogFilter, follow: boolean) {
  const client = useQueryClient()
  const { level, search, category } = filter
  const { data, error, refetch } = useQuery({ queryKey: [...keys.log, 'lines', level, search, category], queryFn: async () => begun(await readLines({ level, search, category }, null)), gcTime: 0, staleTime: Infinity })
  const known = data !== undefined
  useEffect(() => {
    if (!follow || !known) return undefined
    const key = [...keys.log, 'lines', level, search, category]
    let timer: number | undefined
    let over = false
    const look = async () => {
      const tail = client.getQueryData<ReturnType<typeof begun>>(key)
      if (!document.hidden && tail !== undefined) {
        try {
          const page = await readLines({ level, search, category }, tail.next)
          const next = over ? tail : appended(tail, page)
          if (next === null) await client.invalidateQueries({ queryKey: key })
          else if (!over && (page.lines.length > 0 || next.next !== tail.next)) client.setQueryData(key, next)
        } catch {
          // The server is away: the bar says so, and the next look may find it.
        }
      }
      if (!over) timer = window.setTimeout(() => void look(), Every)
    }
    timer = window.setTimeout(() => void look(), Every)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [client, follow, known, level, search, category])
  return { lines: data?.lines, error, refetch }
}
