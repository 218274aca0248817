import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { address } from '~/api/address'
import { api, confirmedBy, take } from '~/api/client'
import type { Backup, BackupList, RestoreState } from '~/api/types'

/** The backups that are kept. */
export const backupsQuery = queryOptions({ queryKey: ['backups'], queryFn: (): Promise<BackupList> => take(api.GET('/api/v1/backups')) })

/** Which backup the next start takes, and what became of the last one. */
export const restoreQuery = queryOptions({ queryKey: ['restore'], queryFn: (): Promise<RestoreState> => take(api.GET('/api/v1/restore')) })

/** Where a backup is downloaded by whoever has entered the password; `complete`: with all files that belong to it. */
export function downloadOf(name: string, complete: boolean, confirmation: string): string {
  return address(`api/v1/backups/${encodeURIComponent(name)}?complete=${complete}&confirmation=${encodeURIComponent(confirmation)}`)
}

/** Makes a backup, deletes one, restores one or gives a restore up; the lists are read anew after each. */
export function useBackups() {
  const client = useQueryClient()
  const again = { onSuccess: () => Promise.all([client.invalidateQueries({ queryKey: backupsQuery.queryKey }), client.invalidateQueries({ queryKey: restoreQuery.queryKey })]) }
  return {
    make: useMutation({ mutationFn: (): Promise<Backup> => take(api.POST('/api/v1/backups')), ...again }),
    remove: useMutation({ mutationFn: (name: string) => take(api.DELETE('/api/v1/backups/{name}', { params: { path: { name } } })), ...again }),
    restore: useMutation({
      mutationFn: ({ name, confirmation }: { name: string; confirmation: string }) => take(api.POST('/api/v1/backups/{name}/restore', { params: { path: { name } }, headers: confirmedBy(confirmation) })), ...again,
    }),
    cancel: useMutation({ mutationFn: () => take(api.DELETE('/api/v1/restore')), ...again }),
  }
}
