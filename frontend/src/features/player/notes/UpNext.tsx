import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { FileItem } from '~/api/types'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './notes.module.css'

/** Seconds until the next file begins by itself. */
export const Patience = 10

type Props = { next: FileItem; counts: boolean; onPlay: () => void; onCancel: () => void }

/** Offers the next file at the end of one. `counts`: it begins by itself after a countdown, which can be cancelled. */
export function UpNext({ next, counts, onPlay, onCancel }: Props) {
  const t = useText(text)
  const [left, setLeft] = useState(Patience)
  useEffect(() => {
    if (!counts) return undefined
    const timer = setTimeout(() => left <= 1 ? onPlay() : setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [counts, left, onPlay])
  return (
    <Stack className={classes.next} gap="xs" role="group" aria-label={t.nextUp}>
      <Text size="sm" c="dimmed"><span>{t.nextUp}</span>{counts && <> · <span>{t.nextIn(left)}</span></>}</Text>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>{next.name}</Text>
      <Group gap="xs">
        <Button size="compact-md" onClick={onPlay}>{t.playNow}</Button>
        <Button size="compact-md" variant="default" data-autofocus onClick={onCancel}>{t.cancel}</Button>
      </Group>
    </Stack>
  )
}
