import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { translated } from '~/ui/setting/translated'
import { useLanguage } from '~/ui/text/language'
import { api, take } from './client'
import { keys } from './live'
import type { SettingsAnswer } from './types'

/** All settings; for who may manage. */
export const settingsQuery = queryOptions({ queryKey: keys.settings, queryFn: (): Promise<SettingsAnswer> => take(api.GET('/api/v1/settings')) })

/** The words for settings in the page's language; none in English, which the server speaks. They come as a file of their own, and are there for good. */
const wordsQuery = queryOptions({
  queryKey: ['setting-words', 'de'], queryFn: async () => (await import('~/ui/setting/german')).german, staleTime: Infinity, gcTime: Infinity, retry: false, networkMode: 'always',
})

/** All settings in the page's language, and in the server's where words are missing. */
export function useSettings(enabled = true) {
  const german = useLanguage().language === 'de'
  const words = useQuery({ ...wordsQuery, enabled: enabled && german })
  const { data: answer, error, refetch } = useQuery({ ...settingsQuery, enabled })
  const data = useMemo(() => {
    if (answer === undefined || !german) return answer
    if (words.data !== undefined) return translated(answer, words.data)
    return words.isError ? answer : undefined
  }, [answer, german, words.data, words.isError])
  return { data, error, refetch }
}

/** Saves changes of settings: all of them, or none with an ApiError that holds the faults. */
export function useSaveSettings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (changes: Readonly<Record<string, string | null>>): Promise<SettingsAnswer> => take(api.PATCH('/api/v1/settings', { body: changes as never })),
    onSuccess: (answer) => client.setQueryData(settingsQuery.queryKey, answer),
  })
}
