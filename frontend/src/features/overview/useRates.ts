import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, take } from '~/api/client'
import { serverAhead } from '~/api/clock'
import { useLive } from '~/api/LiveProvider'
import { providersQuery } from '~/api/queries'
import type { Series } from '~/api/types'
import { lineColor } from '~/ui/chart/colors'
import { extended, isRate, rates, summary } from './series'

const seriesKey = ['series', 'hour'] as const

/** The last hour by the second: read once, then carried on by the live stream. Null until it is there. */
export function useRates() {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: seriesKey,
    staleTime: 0,
    queryFn: async ({ signal }): Promise<Series> => {
      const series = await take(api.GET('/api/v1/series', { params: { query: { span: 'hour' } }, signal }))
      return { ...series, lines: series.lines.filter((line) => isRate(line.name)) }
    },
  })
  useLive((event) => {
    if (event.name !== 'status') return
    const providers = client.getQueryData(providersQuery.queryKey)?.providers ?? []
    client.setQueryData<Series>(seriesKey, (series) => series && extended(series, Date.now() + serverAhead(), rates(providers, event.data)))
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
