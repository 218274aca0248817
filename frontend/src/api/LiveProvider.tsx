import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode } from 'react'
import { EventStream, type Connection } from './events'
import { Live, type LiveEvent } from './live'
import { sessionQuery } from './session'

type Known = {
  connection: Connection
  /** Versions of the server: when the page was opened, and now; null until the stream has told one. */
  versions: { first: string; now: string } | null
  listen: Live['listen']
  retry: () => void
}

const Context = createContext<Known>({ connection: { state: 'connecting' }, versions: null, listen: () => () => undefined, retry: () => undefined })
const Topics = 'jobs,streams,status,providers,torrents,files,queue,settings,health'

/** Keeps the query cache current while somebody is signed in, and tells all below it how the stream stands. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const [live] = useState(() => new Live(client))
  const [connection, setConnection] = useState<Connection>({ state: 'connecting' })
  const [versions, setVersions] = useState<Known['versions']>(null)
  const stream = useRef<EventStream | null>(null)
  useEffect(() => {
    stream.current = new EventStream(Topics, live.take, (now) => {
      setConnection(now)
      // It may be away because the session has ended.
      if (now.state === 'away') void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    })
    const unlisten = live.listen((event) => {
      if (event.name === 'hello') setVersions((known) => ({ first: known?.first ?? event.data.version, now: event.data.version }))
    })
    return () => {
      unlisten()
      stream.current?.close()
      live.dispose()
    }
  }, [client, live])
  const value = useMemo<Known>(() => ({ connection, versions, listen: live.listen, retry: () => stream.current?.retry() }), [connection, versions, live])
  return <Context value={value}>{children}</Context>
}

/** How the live stream stands. */
export function useConnection(): Connection {
  return use(Context).connection
}

/** Tries at once to reach a server that is away. */
export function useRetry(): () => void {
  return use(Context).retry
}

/** True once the server runs another version than the one that this page is of. */
export function useIsOutdated(): boolean {
  const { versions } = use(Context)
  return versions !== null && versions.first !== versions.now
}

/** Tells each live event, after the query cache has it. */
export function useLive(handler: (event: LiveEvent) => void): void {
  const { listen } = use(Context)
  const told = useEffectEvent(handler)
  useEffect(() => listen((event) => told(event)), [listen])
}
