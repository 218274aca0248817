import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { address } from '~/api/address'
import { api, take } from '~/api/client'
import { streamsQuery } from '~/api/queries'
import { useRights } from '~/api/session'
import type { Stream } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { ReleaseName } from '~/ui/ReleaseName'
import { StateBadge } from '~/ui/state/StateBadge'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './parts.module.css'
import { StreamMinutes } from './StreamMinutes'

const shown = { streaming: 'streaming', waiting: 'waiting', idle: 'paused' } as const

/** One stream: who watches, how far, how much is fetched ahead, and what it waits for. */
export function StreamCard({ stream }: { stream: Stream }) {
  const t = useText(text)
  const format = useFormat()
  const client = useQueryClient()
  const may = useRights()('change')
  const end = useMutation({
    mutationFn: () => take(api.DELETE('/api/v1/streams/{id}', { params: { path: { id: stream.id } } })),
    onSuccess: () => client.setQueryData(streamsQuery.queryKey, (now) => now && { streams: now.streams.filter(({ id }) => id !== stream.id) }),
    onError: (error) => notifications.show({ color: 'red', autoClose: false, role: 'alert', title: t.notEnded, message: error.message }),
  })
  const [opened, { toggle }] = useDisclosure(false)
  const share = stream.size > 0 ? Math.min(1, stream.position / stream.size) : 0
  const ahead = stream.size > 0 ? Math.min(1 - share, stream.ahead / stream.size) : 0
  return (
    <article className={classes.stream} aria-label={stream.name}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Link to="/files" search={{ path: stream.path.slice(0, stream.path.lastIndexOf('/')), selected: stream.itemId ?? undefined }} className={classes.name}><ReleaseName name={stream.name} /></Link>
        <StateBadge state={shown[stream.state]}>{t.states[stream.state]}</StateBadge>
      </Group>
      <Text size="sm" c="dimmed">{stream.via === 'mount' ? t.streamInMount(stream.program) : t.streamOf(stream.program, stream.address)}{stream.user !== null && ` · ${stream.user}`}</Text>
      <div className={classes.track} role="progressbar" aria-label={t.position} aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(share * 100)}>
        <span className={classes.ahead} style={{ transform: `scaleX(${share + ahead})` }} />
        <span className={classes.played} style={{ transform: `scaleX(${share})` }} />
      </div>
      <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-end">
        <Text size="sm">
          {format.percent(share)} · {format.rate(stream.rate)} · {t.ahead(format.size(stream.ahead))}
          {stream.waits > 0 && ` · ${t.waits(stream.waits, format.duration(stream.waitSeconds))}`}
          {stream.scan !== null && <span className={classes.waited}>{t.scans[stream.scan]}</span>}
          {stream.lastWait !== null && <span className={classes.waited}>{t.waited(format.duration(stream.lastWait.seconds), stream.lastWait.article, format.timeOfDay(stream.lastWait.at), stream.lastWait.story)}</span>}
          {stream.filler !== null && <span className={classes.waits}>{t.filled(format.size(stream.filler.bytes), stream.filler.article, stream.filler.reason)}</span>}
          {stream.waitingFor !== null && <span className={classes.waits}>{t.waitsFor(stream.waitingFor, stream.waitingProvider)}</span>}
        </Text>
        {may && <Button flex="none" size="compact-sm" variant="default" loading={end.isPending} onClick={() => end.mutate()} aria-label={t.endOf(stream.name)}>{t.end}</Button>}
      </Group>
      <Group gap="xs">
        <Button size="compact-sm" variant="subtle" ml={-8} aria-expanded={opened} onClick={toggle} aria-label={t.minutesOf(stream.name)}>{t.minutes}</Button>
        <Button component="a" size="compact-sm" variant="subtle" href={address(`api/v1/streams/${stream.id}/recording`)} download aria-label={t.saveOf(stream.name)}>{t.save}</Button>
      </Group>
      {opened && <StreamMinutes id={stream.id} />}
    </article>
  )
}
