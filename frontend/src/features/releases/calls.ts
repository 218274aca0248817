import { queryOptions, useMutation } from '@tanstack/react-query'
import { api, take } from '~/api/client'
import type { PlayAnswer, SearchAnswer } from '~/api/types'

export type Kind = 'any' | 'movie' | 'series'

/** What the indexers list for some words. Asked anew after five minutes: indexers count their searches. */
export const releasesQuery = (words: string, kind: Kind) => queryOptions({
  queryKey: ['releases', kind, words],
  queryFn: ({ signal }): Promise<SearchAnswer> => take(api.GET('/api/v1/search', { params: { query: { query: words, kind } }, signal })),
  enabled: words !== '',
  staleTime: 300_000,
  retry: false,
})

/** Takes a release into the tree, or the next copy of it that can be played. */
export function usePlay() {
  return useMutation({ mutationFn: (release: string): Promise<PlayAnswer> => take(api.POST('/api/v1/play', { body: { release } })) })
}

/** Looks at a release as an import would, without importing it. */
export function useInspect() {
  return useMutation({ mutationFn: (release: string) => take(api.POST('/api/v1/inspect', { body: { release } })) })
}
