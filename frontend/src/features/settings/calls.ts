import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, take } from '~/api/client'
import { settingsQuery } from '~/api/settings'
import type { ArrRow, ArrTest, RegisterAnswer, RegisterBody, SettingsExport } from '~/api/types'

/** The *arrs that are configured, with what went wrong when they were last called. */
export const arrsQuery = queryOptions({ queryKey: ['arrs'], queryFn: (): Promise<{ arrs: ArrRow[] }> => take(api.GET('/api/v1/arrs')) })

/** Calls an *arr to see whether it answers. */
export function useArrTest() {
  return useMutation({ mutationFn: (number: number): Promise<ArrTest> => take(api.POST('/api/v1/arrs/{number}/test', { params: { path: { number } } })) })
}

/** Makes this server a download client of an *arr. */
export function useRegister() {
  return useMutation({
    mutationFn: ({ number, body }: { number: number; body: RegisterBody }): Promise<RegisterAnswer> => take(api.POST('/api/v1/arrs/{number}/register', { params: { path: { number } }, body })),
  })
}

/** All settings as one file; with secrets after the password. */
export function useExport() {
  return useMutation({
    mutationFn: (body: { secrets: boolean; password: string | null; username: string | null }): Promise<SettingsExport> => take(api.POST('/api/v1/settings/export', { body })),
  })
}

/** Puts a file in the place of all that is stored. */
export function useImport() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: SettingsExport) => take(api.PUT('/api/v1/settings/import', { body })),
    onSuccess: (answer) => client.setQueryData(settingsQuery.queryKey, answer),
  })
}
