import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '~/api/client'
import { ApiError } from '~/api/error'
import { keptSession, sessionQuery, useTakeSession } from '~/api/session'
import type { Session } from '~/api/types'

/** Why nobody is signed in yet: `until` (ms since 1970) is when the next attempt is looked at. */
export type Refusal = { kind: 'wrong' } | { kind: 'slow'; until: number } | { kind: 'other'; error: Error }

/** Signs in with a name and a password. Whoever was here before goes on where the page stands; for anybody else it is read anew as a whole. */
export function useSignIn() {
  const client = useQueryClient()
  const takeSession = useTakeSession()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)

  const signIn = async (username: string, password: string): Promise<boolean> => {
    setBusy(true)
    try {
      const { data, error, response } = await api.POST('/api/v1/session', { body: { username, password } })
      if (data === undefined) {
        setRefusal(refusalOf(response, error))
        return false
      }
      const before = client.getQueryData<Session>(keptSession)
      if (before !== undefined && before.username !== data.username) {
        location.reload()
        return true
      }
      setRefusal(null)
      takeSession(data)
      void client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== sessionQuery.queryKey[0] })
      return true
    } catch (error) {
      setRefusal({ kind: 'other', error: error as Error })
      return false
    } finally {
      setBusy(false)
    }
  }
  return { signIn, busy, refusal }
}

/** What an answer that is no success means. */
export function refusalOf(response: Pick<Response, 'status' | 'headers'>, body: unknown, now = Date.now()): Refusal {
  if (response.status === 401) return { kind: 'wrong' }
  if (response.status === 429) return { kind: 'slow', until: now + 1000 * (Number(response.headers.get('Retry-After')) || 60) }
  return { kind: 'other', error: ApiError.of(response.status, body) }
}

/** Seconds until a time, counted down; 0 from then on. */
export function useCountdown(until: number | null): number {
  const [now, setNow] = useState(() => Date.now())
  const over = until === null || now >= until
  useEffect(() => {
    if (until === null || over) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [until, over])
  return until === null ? 0 : Math.max(0, Math.ceil((until - now) / 1000))
}
