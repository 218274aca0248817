import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, take } from './client'
import { keys } from './live'
import type { SettingsAnswer } from './types'

/** All settings; for who may manage. */
export const settingsQuery = queryOptions({ queryKey: keys.settings, queryFn: (): Promise<SettingsAnswer> => take(api.GET('/api/v1/settings')) })

/** Saves changes of settings: all of them, or none with an ApiError that holds the faults. */
export function useSaveSettings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (changes: Readonly<Record<string, string | null>>): Promise<SettingsAnswer> => take(api.PATCH('/api/v1/settings', { body: changes as never })),
    onSuccess: (answer) => client.setQueryData(settingsQuery.queryKey, answer),
  })
}
