import { queryOptions } from '@tanstack/react-query'
import { api, take } from './client'
import { keys } from './live'
import type { JobCounts, JobPage, Provider, Queue, Status, Stream } from './types'

/** What the whole does now. The live stream keeps it current. */
export const statusQuery = queryOptions({
  queryKey: keys.status,
  queryFn: async ({ signal }): Promise<Status> => take(api.GET('/api/v1/status', { signal })),
})

/** Who reads what now. The live stream keeps it current. */
export const streamsQuery = queryOptions({
  queryKey: keys.streams,
  queryFn: async ({ signal }): Promise<{ streams: Stream[] }> => take(api.GET('/api/v1/streams', { signal })),
})

/** The providers and how they stand. The live stream keeps it current. */
export const providersQuery = queryOptions({
  queryKey: keys.providers,
  queryFn: async ({ signal }): Promise<{ providers: Provider[] }> => take(api.GET('/api/v1/providers', { signal })),
})

/** Whether the queue stands, and the categories that jobs may have. The live stream keeps it current. */
export const queueQuery = queryOptions({
  queryKey: keys.queue,
  queryFn: async ({ signal }): Promise<Queue> => take(api.GET('/api/v1/queue', { signal })),
})

/** How many jobs are in which state. The live stream keeps it current. */
export const jobCountsQuery = queryOptions({
  queryKey: keys.jobCounts,
  queryFn: async ({ signal }): Promise<JobCounts> => (await take(api.GET('/api/v1/jobs', { params: { query: { limit: 1 } }, signal }))).counts,
})

/** Jobs by name, the newest first: as many as a search shows. */
export function jobsFound(search: string) {
  return queryOptions({
    queryKey: [...keys.jobLists, 'found', search],
    queryFn: async ({ signal }): Promise<JobPage> => take(api.GET('/api/v1/jobs', { params: { query: { search, sort: 'added', descending: true, limit: 6 } }, signal })),
  })
}
