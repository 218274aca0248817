import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, type ReactNode } from 'react'
import { piece } from '~/api/chunks/piece'
import { LiveProvider } from '~/api/LiveProvider'
import { sessionQuery, useKeptSession } from '~/api/session'
import { Shell } from './Shell'
import { Unreached } from './Unreached'

const SignIn = piece(() => import('~/features/signin/SignIn'))

/**
 * Shows the page to whom it belongs: set-up first, then sign-in, then the shell. The address stays, so that sign-in brings one back to where one was. When a session
 * ends, sign-in lies over the page, which keeps what was typed into it.
 */
export function Gate(): ReactNode {
  const { data: session, error, refetch } = useQuery(sessionQuery)
  const kept = useKeptSession()
  const isSetup = useRouterState({ select: (state) => state.location.pathname === '/setup' })
  if (session === undefined) return error === null ? null : <Unreached error={error} retry={() => void refetch()} />
  if (session.state === 'setup' && !isSetup) return <Navigate to="/setup" replace />
  if (session.state === 'signedOut' && kept === undefined) return <Suspense><SignIn /></Suspense>
  const over = session.state === 'signedOut' && <Suspense><SignIn over={kept} /></Suspense>

  // Set-up has the whole window, and stays the same from before the first sign-in until after it.
  if (isSetup) return <><Outlet />{over}</>
  return (
    <>
      <LiveProvider>
        <Shell><Outlet /></Shell>
      </LiveProvider>
      {over}
    </>
  )
}
