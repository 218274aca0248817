import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import { LiveProvider } from '~/api/LiveProvider'
import { sessionQuery } from '~/api/session'
import { Shell } from './Shell'

const SignIn = lazy(() => import('~/features/signin/SignIn'))
const Setup = lazy(() => import('~/features/setup/SetupPage'))

/** Shows the page to whom it belongs: set-up first, then sign-in, then the shell. The address stays, so that sign-in brings one back to where one was. */
export function Gate(): ReactNode {
  const session = useQuery(sessionQuery).data
  if (session === undefined) return null
  if (session.state === 'setup') return <Suspense><Setup /></Suspense>
  if (session.state === 'signedOut') return <Suspense><SignIn /></Suspense>
  return (
    <LiveProvider>
      <Shell><Outlet /></Shell>
    </LiveProvider>
  )
}
