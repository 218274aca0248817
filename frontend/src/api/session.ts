import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api, setToken, take } from './client'
import type { Session } from './types'

/** What a caller may be allowed. */
export type Right = 'read' | 'add' | 'change' | 'manage'

/** Who is signed in; read anew when the server no longer knows who asks. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session> => {
    const session = await take(api.GET('/api/v1/session'))
    setToken(session.csrfToken)
    return session
  },
  staleTime: Infinity,
  retry: 2,
})

/** The session; undefined until it is known. */
export function useSession(): Session | undefined {
  return useQuery(sessionQuery).data
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
    client.setQueryData(sessionQuery.queryKey, session)
  }, [client])
}
