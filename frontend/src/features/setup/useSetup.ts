import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, take } from '~/api/client'
import { keys } from '~/api/live'

/** What of the set-up is done. */
export type SetupProgress = { user: boolean; provider: boolean; webdav: boolean; played: boolean; arrs: boolean; arrAnswers: boolean }

export const progressQuery = queryOptions({
  queryKey: ['setupProgress'],
  queryFn: (): Promise<SetupProgress> => take(api.GET('/api/v1/setup/progress')),
  staleTime: 0,
})

/** How others reach the server. */
export const playQuery = queryOptions({ queryKey: ['settings', 'play'], queryFn: () => take(api.GET('/api/v1/play')), staleTime: 0 })

/** Saves settings by path; null puts one back to its default. Faults come as ApiError with `faults`. */
export function useSaveSettings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (values: Record<string, string | number | boolean | null>) => take(api.PATCH('/api/v1/settings', { body: values as never })),
    onSuccess: () => {
      for (const queryKey of [progressQuery.queryKey, playQuery.queryKey, keys.settings, keys.providers, ['arrs']]) void client.invalidateQueries({ queryKey })
    },
  })
}

/** What is wrong with the field whose path ends so; undefined if nothing is. */
export function faultOf(error: unknown, ending: string): string | undefined {
  const faults = (error as { faults?: { path: string; message: string }[] } | null)?.faults ?? []
  return faults.find((fault) => fault.path.toLowerCase().endsWith(`:${ending.toLowerCase()}`))?.message
}

/** What is wrong and belongs to none of the fields. */
export function otherFault(error: Error | null, endings: readonly string[]): string | null {
  if (error === null) return null
  const faults = (error as { faults?: { path: string; message: string }[] }).faults ?? []
  if (faults.length === 0) return error.message
  const rest = faults.filter((fault) => !endings.some((ending) => fault.path.toLowerCase().endsWith(`:${ending.toLowerCase()}`)))
  return rest.length === 0 ? null : rest.map((fault) => fault.message).join(' ')
}
