import { CloseButton, Drawer, Group, Stack, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { api, take } from '~/api/client'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import { JobDetailsView } from './JobDetailsView'
import classes from './parts.module.css'

type Props = { id: string; actions: (id: string) => ReactNode; onClose: () => void }

/** The details of one job: beside the list, or over it where there is no room. */
export function JobPane({ id, actions, onClose }: Props) {
  const t = useText(text)
  const wide = useMediaQuery('(min-width: 64em)', undefined, { getInitialValueInEffect: false })
  const pane = useRef<HTMLElement>(null)
  const opener = useRef<Element | null>(null)
  // The focus returns to where it came from: to the row.
  const leave = () => {
    onClose()
    if (opener.current instanceof HTMLElement) opener.current.focus()
  }
  const close = useEffectEvent(leave)
  useEffect(() => {
    opener.current ??= document.activeElement
    const element = pane.current
    const key = (event: KeyboardEvent) => { if (event.key === 'Escape' && !event.defaultPrevented) close() }
    element?.addEventListener('keydown', key)
    return () => element?.removeEventListener('keydown', key)
  }, [])
  const details = useQuery({ queryKey: ['job', id], queryFn: async ({ signal }) => take(api.GET('/api/v1/jobs/{id}', { params: { path: { id } }, signal })) })
  const body = details.data !== undefined ? <JobDetailsView job={details.data} actions={actions(id)} />
    : details.error !== null ? <ErrorNote error={details.error} retry={() => void details.refetch()} /> : <Loading />
  if (!wide) return <Drawer opened onClose={onClose} position="bottom" size="85%" title={details.data?.name ?? t.details} styles={{ title: { overflowWrap: 'anywhere' } }}>{body}</Drawer>
  return (
    <aside className={classes.pane} aria-label={t.details} ref={pane}>
      <Stack gap="sm">
        <Group wrap="nowrap" align="flex-start" justify="space-between">
          <Title order={2} style={{ overflowWrap: 'anywhere' }}>{details.data?.name ?? t.details}</Title>
          <CloseButton aria-label={t.close} onClick={leave} />
        </Group>
        {body}
      </Stack>
    </aside>
  )
}
