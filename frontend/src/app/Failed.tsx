import { Button, Stack, Text } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'

const Once = 'nzbdav.reloaded'

/** A page that could not be shown. After an upgrade the old page's chunks are gone: it reloads itself, once. */
export function Failed({ error }: ErrorComponentProps) {
  const t = useText(text)
  const message = error instanceof Error ? error.message : String(error)
  const chunk = /dynamically imported module|module script failed/i.test(message)
  useEffect(() => {
    if (!chunk || sessionStorage.getItem(Once) !== null) return
    sessionStorage.setItem(Once, '1')
    location.reload()
  }, [chunk])
  return (
    <Stack p="lg" align="flex-start" role="alert">
      <Text fw={600}>{t.failed}</Text>
      <Text c="dimmed" className="mono">{message}</Text>
      <Button onClick={() => location.reload()}>{t.reload}</Button>
    </Stack>
  )
}
