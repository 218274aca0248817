import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { EventStream } from '~/api/events'
import { keys } from '~/api/live'
import { readLines, type LogFilter } from './calls'
import { looker } from './follow'
import { appended, begun, Limit } from './tail'

/** The lines that fit a filter; while `follow` holds, new ones are added as the server tells of them. */
export function useTail(filter: LogFilter, follow: boolean) {
  const client = useQueryClient()
  const { level, search, category } = filter
  const { data, error, refetch } = useQuery({ queryKey: [...keys.log, 'lines', level, search, category], queryFn: async () => begun(await readLines({ level, search, category }, null)), gcTime: 0, staleTime: Infinity })
  const known = data !== undefined
  useEffect(() => {
    if (!follow || !known) return undefined
    const key = [...keys.log, 'lines', level, search, category]
    let over = false
    const look = looker(async () => {
      const tail = client.getQueryData<ReturnType<typeof begun>>(key)
      if (over || tail === undefined) return false
      const page = await readLines({ level, search, category }, tail.next)
      const next = appended(tail, page)
      if (next === null) await client.invalidateQueries({ queryKey: key })
      // The effect may be over by now.
      else if (!(over as boolean) && (page.lines.length > 0 || next.next !== tail.next)) client.setQueryData(key, next)
      return next !== null && page.lines.length === Limit
    })
    // A stream of its own: no other page needs to be told of each line. "hello" begins it, and comes again after each break.
    const stream = new EventStream('log', (name) => { if (name === 'hello' || name === 'reset' || name === 'log') look() }, () => undefined)
    return () => {
      over = true
      stream.close()
    }
  }, [client, follow, known, level, search, category])
  return { lines: data?.lines, error, refetch }
}
