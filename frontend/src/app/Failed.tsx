import { Button, Stack, Text } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { root } from '~/api/address'
import { chunks, useIsStuck } from '~/api/chunks/chunks'
import { GoneError } from '~/api/chunks/ChunkStore'
import { useText } from '~/ui/text/catalogue'
import { isFirstReload } from './reloads'
import { text } from './text'

/** Loads the page anew, once the server answers: a browser's own error page would not come back by itself. */
async function reload(): Promise<void> {
  await chunks.answers(root.href)
  location.reload()
}

/** A page that could not be shown. After an upgrade the files of the old page are gone: it reloads itself, once. */
export function Failed({ error }: ErrorComponentProps) {
  const t = useText(text)
  const isStuck = useIsStuck()
  const gone = error instanceof GoneError ? error.url : null
  useEffect(() => {
    if (gone !== null && isFirstReload(gone, sessionStorage)) void reload()
  }, [gone])
  return (
    <Stack p="lg" align="flex-start" role="alert">
      <Text fw={600}>{gone === null ? t.failed : t.outdated}</Text>
      {isStuck ? <Text>{t.reloadsLater}</Text> : <Text c="dimmed" className="mono">{error instanceof Error ? error.message : String(error)}</Text>}
      <Button onClick={() => void reload()} loading={isStuck}>{t.reload}</Button>
    </Stack>
  )
}
