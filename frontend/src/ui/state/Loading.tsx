import { Skeleton, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useText } from '../text/catalogue'
import { text } from './text'

/** Rows in place of what is being read. Nothing for the first 150 ms: most answers are there by then. */
export function Loading({ rows = 6, height = 36 }: { rows?: number; height?: number }) {
  const t = useText(text)
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150)
    return () => clearTimeout(timer)
  }, [])
  if (!shown) return null
  return (
    <Stack gap={4} role="status" aria-label={t.loading}>
      {Array.from({ length: rows }, (_, row) => <Skeleton key={row} height={height} radius="sm" />)}
    </Stack>
  )
}
