import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { onRefused } from '~/api/client'
import { ApiError } from '~/api/error'
import { sessionQuery } from '~/api/session'
import { LanguageProvider } from '~/ui/text/language'
import { variables } from '~/ui/theme'
import { useTheme } from '~/ui/useTheme'
import { router } from './router'
import { schemes } from './schemes'

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // The live stream says when something changes.
      staleTime: 30_000,
      structuralSharing: false,
      retry: (count, error) => error instanceof ApiError && error.passes && count < 3,
      refetchOnWindowFocus: false,
    },
  },
})
onRefused(() => void client.invalidateQueries({ queryKey: sessionQuery.queryKey }))

/** Styles that Mantine writes carry the nonce that the content security policy asks for. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name=nonce]')?.content ?? ''

export function App() {
  return (
    <LanguageProvider>
      <Themed>
        <QueryClientProvider client={client}>
          <Notifications position="bottom-right" />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </Themed>
    </LanguageProvider>
  )
}

function Themed({ children }: { children: ReactNode }) {
  return <MantineProvider theme={useTheme()} cssVariablesResolver={variables} defaultColorScheme="auto" colorSchemeManager={schemes} getStyleNonce={() => nonce}>{children}</MantineProvider>
}
