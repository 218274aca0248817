import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, take } from '~/api/client'
import type { LibraryAnswer } from '~/api/types'

/** What libraries hold, and what none holds any more. */
export const libraryQuery = queryOptions({ queryKey: ['library'], queryFn: (): Promise<LibraryAnswer> => take(api.GET('/api/v1/library')) })

/** Reads the libraries, keeps or deletes what they have let go. */
export function useLibrary() {
  const client = useQueryClient()
  const again = { onSuccess: () => client.invalidateQueries({ queryKey: libraryQuery.queryKey }) }
  return {
    sweep: useMutation({ mutationFn: (accept: boolean): Promise<LibraryAnswer> => take(api.POST('/api/v1/library/sweep', { body: { accept } })), onSuccess: (answer) => client.setQueryData(libraryQuery.queryKey, answer) }),
    keep: useMutation({ mutationFn: (path: string) => take(api.POST('/api/v1/library/keep', { body: { path } })), ...again }),
    remove: useMutation({ mutationFn: (path: string) => take(api.POST('/api/v1/library/delete', { body: { path } })), ...again }),
  }
}
