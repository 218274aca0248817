import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, take } from '~/api/client'
import { keys } from '~/api/live'
import type { HealthDetail, HealthList, HealthOverview } from '~/api/types'

/** Posts of one answer. */
export const PageSize = 50

/** How the posts are as a whole. */
export const healthQuery = queryOptions({ queryKey: [...keys.health, 'overview'], queryFn: (): Promise<HealthOverview> => take(api.GET('/api/v1/health')) })

/** Posts by verdict (separated by commas, empty for all) and by a part of their names. */
export const postsQuery = (verdict: string, search: string) => infiniteQueryOptions({
  queryKey: [...keys.health, 'posts', verdict, search],
  queryFn: ({ pageParam }): Promise<HealthList> => take(api.GET('/api/v1/health/posts', { params: { query: { verdict: verdict || undefined, text: search || undefined, start: pageParam, limit: PageSize } } })),
  initialPageParam: 0,
  getNextPageParam: (last: HealthList, pages: HealthList[]) => {
    const shown = pages.reduce((sum, page) => sum + page.posts.length, 0)
    return last.posts.length > 0 && shown < last.total ? shown : undefined
  },
})

/** All that is known of one post. */
export const postQuery = (id: string) => queryOptions({ queryKey: [...keys.health, 'post', id], queryFn: (): Promise<HealthDetail> => take(api.GET('/api/v1/health/posts/{id}', { params: { path: { id } } })) })

/** What people do about the health of posts. */
export function useHealth() {
  const client = useQueryClient()
  const again = { onSuccess: () => client.invalidateQueries({ queryKey: keys.health }) }
  return {
    pause: useMutation({ mutationFn: (pause: boolean) => take(api.POST('/api/v1/health/pause', { body: { pause } })), ...again }),
    release: useMutation({ mutationFn: () => take(api.POST('/api/v1/health/release')), ...again }),
    check: useMutation({ mutationFn: (id: string) => take(api.POST('/api/v1/health/posts/{id}/check', { params: { path: { id } } })), ...again }),
    undo: useMutation({ mutationFn: (id: string) => take(api.POST('/api/v1/health/posts/{id}/undo', { params: { path: { id } } })), ...again }),
    replace: useMutation({ mutationFn: (file: string) => take(api.POST('/api/v1/repairs', { body: { path: null, file } })), ...again }),
    keep: useMutation({ mutationFn: ({ id, keep }: { id: string; keep: boolean }) => take(api.POST('/api/v1/health/posts/{id}/keep', { params: { path: { id } }, body: { keep } })), ...again }),
  }
}
