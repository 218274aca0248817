import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

const Kept = 'nzbdav.setup'

/**
 * The token from the log's link, /setup?token=…. It is taken off the address bar, where it would stay in the history, and kept until the window is closed or the
 * account is made, so that the page can be loaded anew.
 */
export function useToken(): string | null {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const [token] = useState(() => search.token ?? read())
  useEffect(() => {
    if (search.token === undefined) return
    try {
      sessionStorage.setItem(Kept, search.token)
    } catch {
      // Storage is off: it holds until the page is left.
    }
    void navigate({ to: '/setup', search: {}, replace: true })
  }, [search.token, navigate])
  return token
}

/** To be called when the account is made. */
export function forgetToken(): void {
  try {
    sessionStorage.removeItem(Kept)
  } catch {
    // Nothing was kept.
  }
}

function read(): string | null {
  try {
    return sessionStorage.getItem(Kept)
  } catch {
    return null
  }
}
