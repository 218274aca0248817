import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, confirmedBy, take } from '~/api/client'
import type { AddonAddress, AddonKey, KeyName, LinkInfo, SessionInfo, User } from '~/api/types'

/** Who may sign in. */
export const usersQuery = queryOptions({ queryKey: ['users'], queryFn: async (): Promise<User[]> => (await take(api.GET('/api/v1/users'))).users as User[] })

/** Who is signed in: oneself, or everybody. */
export const sessionsQuery = (all: boolean) =>
  queryOptions({ queryKey: ['sessions', all], queryFn: async (): Promise<SessionInfo[]> => (await take(api.GET('/api/v1/sessions', { params: { query: { all } } }))).sessions })

/** Links that open a file without a sign-in: one's own, or everybody's. */
export const linksQuery = (all: boolean) =>
  queryOptions({ queryKey: ['links', all], queryFn: async (): Promise<LinkInfo[]> => (await take(api.GET('/api/v1/links', { params: { query: { all } } }))).links })

/** Revokes a link. The page forgets those that it made itself: the next one is made anew. */
export function useRevokeLink() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => take(api.DELETE('/api/v1/links/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      client.removeQueries({ queryKey: ['link'] })
      return client.invalidateQueries({ queryKey: ['links'] })
    },
  })
}

/** The addresses of the add-on for Stremio, without their keys. */
export const addonKeysQuery = queryOptions({ queryKey: ['addon-keys'], queryFn: async (): Promise<AddonKey[]> => (await take(api.GET('/api/v1/stremio'))).keys })

/** Makes and revokes addresses of the add-on. */
export function useAddonKeys() {
  const client = useQueryClient()
  const again = { onSuccess: () => client.invalidateQueries({ queryKey: addonKeysQuery.queryKey }) }
  return {
    add: useMutation({ mutationFn: (name: string): Promise<AddonAddress> => take(api.POST('/api/v1/stremio', { body: { name } })), ...again }),
    revoke: useMutation({ mutationFn: (id: string) => take(api.DELETE('/api/v1/stremio/{id}', { params: { path: { id } } })), ...again }),
  }
}

type Proved<T> = T & { confirmation: string }

/** Everything that changes users or sessions; lists are read anew after each. */
export function useUsers() {
  const client = useQueryClient()
  const again = { onSuccess: () => Promise.all([client.invalidateQueries({ queryKey: ['users'] }), client.invalidateQueries({ queryKey: ['sessions'] })]) }
  const path = (name: string) => ({ params: { path: { name } } })
  return {
    add: useMutation({ mutationFn: ({ confirmation, ...body }: Proved<{ username: string; password: string; role: User['role'] }>) => take(api.POST('/api/v1/users', { body, headers: confirmedBy(confirmation) })), ...again }),
    setRole: useMutation({
      mutationFn: ({ name, role, confirmation }: Proved<{ name: string; role: User['role'] }>) => take(api.PATCH('/api/v1/users/{name}', { ...path(name), body: { role }, headers: confirmedBy(confirmation) })), ...again,
    }),
    setPassword: useMutation({
      mutationFn: ({ name, password, confirmation }: Proved<{ name: string; password: string }>) =>
        take(api.PUT('/api/v1/users/{name}/password', { ...path(name), body: { password, current: null }, headers: confirmedBy(confirmation) })), ...again,
    }),
    remove: useMutation({ mutationFn: (name: string) => take(api.DELETE('/api/v1/users/{name}', path(name))), ...again }),
    changeOwn: useMutation({ mutationFn: (body: { old: string; new: string }) => take(api.PUT('/api/v1/session/password', { body })), ...again }),
    end: useMutation({ mutationFn: (id: string) => take(api.DELETE('/api/v1/sessions/{id}', { params: { path: { id } } })), ...again }),
    endOthers: useMutation({ mutationFn: () => take(api.DELETE('/api/v1/sessions')), ...again }),
  }
}

/** An API key, for who says the password again; null: there is none. */
export function useShowKey() {
  return useMutation({ mutationFn: async (body: { key: KeyName; password: string; username: string | null }): Promise<string | null> => (await take(api.POST('/api/v1/keys/show', { body }))).value })
}
