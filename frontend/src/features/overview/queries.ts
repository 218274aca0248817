import { queryOptions } from '@tanstack/react-query'
import { api, take } from '~/api/client'
import { keys } from '~/api/live'
import type { JobPage, Series, StreamTimeline } from '~/api/types'
import { isRate } from './series'

/** Jobs that the page names of each kind; the rest is counted. */
const Named = 6

const list = (state: 'running' | 'failed', sort: string, descending: boolean) => queryOptions({
  queryKey: [...keys.jobLists, state],
  queryFn: async ({ signal }): Promise<JobPage> => take(api.GET('/api/v1/jobs', { params: { query: { state, sort, descending, limit: Named } }, signal })),
})

/** What is imported now. */
export const runningQuery = list('running', 'turn', false)

/** What failed last. */
export const failedQuery = list('failed', 'finished', true)

/** The last minutes of a stream, read anew every few seconds while somebody looks. */
export const timelineQuery = (id: string) => queryOptions({
  queryKey: [...keys.streams, id, 'timeline'],
  queryFn: async ({ signal }): Promise<StreamTimeline> => take(api.GET('/api/v1/streams/{id}/timeline', { params: { path: { id } }, signal })),
  refetchInterval: 5_000,
  staleTime: 0,
})

/** How far the server is set up. */
export const progressQuery = queryOptions({
  queryKey: ['settings', 'progress'],
  queryFn: async ({ signal }) => take(api.GET('/api/v1/setup/progress', { signal })),
  staleTime: 0,
})

/** The last hour by the second: read once, then carried on by the live stream. */
export const seriesQuery = queryOptions({
  queryKey: ['series', 'hour'],
  staleTime: 0,
  queryFn: async ({ signal }): Promise<Series> => {
    const series = await take(api.GET('/api/v1/series', { params: { query: { span: 'hour' } }, signal }))
    return { ...series, lines: series.lines.filter((line) => isRate(line.name)) }
  },
})

/** How players and mounts reach the server. */
export const playQuery = queryOptions({ queryKey: ['settings', 'play'], queryFn: async ({ signal }) => take(api.GET('/api/v1/play', { signal })) })
