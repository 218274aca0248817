import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, take } from '~/api/client'
import { keys } from '~/api/live'
import type { LogLevels, LogLine, LogPage } from '~/api/types'
import { Limit } from './tail'

/** What of the log is asked for; empty: all of it. */
export type LogFilter = { level: LogLine['level']; search: string; category: string }

/** Lines that fit a filter: the latest ones, or those after an id. */
export function readLines(filter: LogFilter, after: number | null): Promise<LogPage> {
  return take(api.GET('/api/v1/log/lines', { params: { query: { level: filter.level, search: filter.search || undefined, category: filter.category || undefined, after: after ?? undefined, limit: Limit } } }))
}

/** What is logged now. */
export const levelsQuery = queryOptions({ queryKey: [...keys.log, 'levels'], queryFn: (): Promise<LogLevels> => take(api.GET('/api/v1/log')) })

/** Changes what is logged, at once and until the next start. */
export function useSetLevels() {
  const client = useQueryClient()
  return useMutation({ mutationFn: (body: LogLevels): Promise<LogLevels> => take(api.PUT('/api/v1/log', { body })), onSuccess: (levels) => client.setQueryData(levelsQuery.queryKey, levels) })
}
