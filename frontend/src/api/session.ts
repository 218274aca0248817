import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api, setToken, take } from './client'
import type { Session } from './types'

/** What a caller may be allowed. */
export type Right = 'read' | 'add' | 'change' | 'manage'

/** The session that was last signed in here: what the page stands on while sign-in lies over it. */
export const keptSession = ['keptSession'] as const

/** Who is signed in; read anew when the server no longer knows who asks. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ client }): Promise<Session> => {
    const session = await take(api.GET('/api/v1/session'))
    setToken(session.csrfToken)
    if (session.state === 'signedIn') client.setQueryData(keptSession, session)
    return session
  },
  staleTime: Infinity,
  retry: 2,
})

/** The session that was last signed in here; undefined if there was none since the page was loaded. */
export function useKeptSession(): Session | undefined {
  return useQuery<Session>({ queryKey: keptSession, enabled: false, staleTime: Infinity, gcTime: Infinity }).data
}

/** The session; undefined until it is known. When it has ended, the one before: the page below sign-in stays as it was. */
export function useSession(): Session | undefined {
  const now = useQuery(sessionQuery).data
  const kept = useKeptSession()
  return now?.state === 'signedOut' ? kept ?? now : now
}

/** Tells whether the caller has a right: what he may not do is not shown. */
export function useRights(): (right: Right) => boolean {
  const rights = useSession()?.rights
  return useCallback((right: Right) => rights?.includes(right) ?? false, [rights])
}

/** Takes a session that a call has answered with. */
export function useTakeSession(): (session: Session) => void {
  const client = useQueryClient()
  return useCallback((session: Session) => {
    setToken(session.csrfToken)
    if (session.state === 'signedIn') client.setQueryData(keptSession, session)
    client.setQueryData(sessionQuery.queryKey, session)
  }, [client])
}
