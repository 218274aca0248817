import { Button, Text } from '@mantine/core'
import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { ApiError } from '~/api/error'
import type { Release } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { useInspect, usePlay } from './calls'
import classes from './Releases.module.css'
import { text } from './text'

/** Names of what a release contains, before the rest is left out. */
const Named = 3

/** One release: what is known of it, and the way to play it. */
export function ReleaseItem({ release, now }: { release: Release; now: number }) {
  const t = useText(text)
  const format = useFormat()
  const navigate = useNavigate()
  const play = usePlay()
  const inspect = useInspect()
  // The latest of the two says how it is.
  const start = () => {
    inspect.reset()
    play.mutate(release.id, { onSuccess: ({ file }) => void navigate({ to: '/play/$id', params: { id: file.id } }) })
  }
  const look = () => {
    play.reset()
    inspect.mutate(release.id)
  }
  const seen = inspect.data
  const error = play.error ?? inspect.error
  const failure = error?.message ?? (seen === undefined ? release.reason : seen.failure?.error ?? null)
  const isDead = failure !== null && (error instanceof ApiError ? !error.passes : seen?.failure?.mayPass !== true)
  const isSound = failure === null && (release.state === 'sound' || seen !== undefined)
  const files = seen?.files ?? []
  return (
    <li className={classes.release} data-release={release.id}>
      <div>
        <div className={classes.name} lang="zxx">{release.title}</div>
        <div className={classes.facts}>
          <span>{release.size === null ? t.sizeUnknown : format.size(release.size)}</span>
          <span>{release.torrent ? t.torrent : t.post}</span>
          <span lang="zxx">{release.indexer}</span>
          {release.posted !== null && <time dateTime={release.posted} title={format.dateTime(release.posted)}>{format.relative(release.posted, now)}</time>}
          {release.seeders !== null && <span>{t.seeders(release.seeders)}</span>}
          {release.grabs !== null && <span>{t.grabs(release.grabs)}</span>}
          {release.copies > 1 && <span>{t.copies(release.copies)}</span>}
          {release.hasPassword && <span>{t.password}</span>}
          {isSound && <Text span size="xs" c="var(--nz-done)">{t.sound}</Text>}
          {isDead && <Text span size="xs" c="var(--nz-failed)">{t.dead}</Text>}
        </div>
      </div>
      <div className={classes.buttons}>
        <Button size="compact-sm" variant="default" loading={inspect.isPending} disabled={play.isPending} aria-label={t.checkOf(release.title)} onClick={look}>{t.check}</Button>
        <Button size="compact-sm" loading={play.isPending} aria-label={t.playOf(release.title)} leftSection={<IconPlayerPlayFilled size={14} aria-hidden />} onClick={start}>{t.play}</Button>
      </div>
      <div className={classes.notes} role="status">
        {play.isPending && t.playing}
        {!play.isPending && failure !== null && <Text size="sm" c="var(--nz-failed)" lang="en">{failure}</Text>}
        {!play.isPending && failure === null && files.length > 0 && <Text size="sm" c="dimmed">{t.contains(files.slice(0, Named).map((file) => `${file.path} (${format.size(file.size)})`).join(', ') + (files.length > Named ? ' …' : ''))}</Text>}
      </div>
    </li>
  )
}
