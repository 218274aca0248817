import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { serverAhead } from '~/api/clock'
import { useLive } from '~/api/LiveProvider'
import { providersQuery } from '~/api/queries'
import { lineColor } from '~/ui/chart/colors'
import { seriesQuery } from './queries'
import { extended, rates, summary } from './series'

/** The last hour by the second: read once, then carried on by the live stream. Null until it is there. */
export function useRates() {
  const client = useQueryClient()
  const { data } = useQuery(seriesQuery)
  useLive((event) => {
    if (event.name !== 'status') return
    const providers = client.getQueryData(providersQuery.queryKey)?.providers ?? []
    client.setQueryData(seriesQuery.queryKey, (series) => series && extended(series, Date.now() + serverAhead(), rates(providers, event.data)))
  })
  return useMemo(() => {
    if (data === undefined) return null
    const start = Date.parse(data.start) / 1000
    const times = Array.from({ length: data.lines[0]?.values.length ?? 0 }, (_, at) => start + at * data.stepSeconds)
    return {
      data: [times, ...data.lines.map((line) => line.values)] as [number[], ...(number | null)[][]],
      lines: data.lines.map((line) => ({ name: line.name, label: line.label, color: lineColor(line.name), now: line.values.at(-1) ?? 0, ...summary(line.values) })),
    }
  }, [data])
}
