import { CloseButton, Group, Stack, Title } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { ErrorNote } from '../state/ErrorNote'
import { Loading } from '../state/Loading'
import { defineText, useText } from '../text/catalogue'

const text = defineText({ close: 'Close the details' }, { close: 'Details schließen' })

type Props = {
  title: string
  /** What it shows, as it was read: what stands in it is left out until then. */
  query: { data: unknown; error: Error | null; refetch: () => unknown }
  onClose: () => void
  children: ReactNode
}

/** The details of what is chosen in a list. Closes by Escape; the focus goes back to where it came from. */
export function Pane({ title, query: { data, error, refetch }, onClose, children }: Props) {
  const t = useText(text)
  const opener = useRef(document.activeElement)
  useEffect(() => {
    const back = opener.current
    return () => {
      // Not when another row was chosen meanwhile: the focus is there.
      if (document.activeElement === document.body && back instanceof HTMLElement && back.isConnected) back.focus()
    }
  }, [])
  return (
    // A menu's Escape closes the menu: its events come through the portal as well.
    <Stack gap="md" onKeyDown={(event) => { if (event.key === 'Escape' && event.target instanceof Node && event.currentTarget.contains(event.target)) onClose() }}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} style={{ overflowWrap: 'anywhere' }}>{title}</Title>
        <CloseButton aria-label={t.close} onClick={onClose} />
      </Group>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Loading rows={6} />}
      {children}
    </Stack>
  )
}
