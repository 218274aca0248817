import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useEffect, useState, type ReactNode } from 'react'
import { EventStream, type Connection } from './events'
import { Live } from './live'
import { sessionQuery } from './session'

const Context = createContext<Connection>({ state: 'connecting' })
const Topics = 'jobs,streams,status,providers,torrents,files,settings'

/** Keeps the query cache current while somebody is signed in, and tells all below it how the stream stands. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const [connection, setConnection] = useState<Connection>({ state: 'connecting' })
  useEffect(() => {
    const live = new Live(client)
    const stream = new EventStream(Topics, live.take, (now) => {
      setConnection(now)
      // It may be away because the session has ended.
      if (now.state === 'away') void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    })
    return () => {
      stream.close()
      live.dispose()
    }
  }, [client])
  return <Context value={connection}>{children}</Context>
}

/** How the live stream stands. */
export function useConnection(): Connection {
  return use(Context)
}
