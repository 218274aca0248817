import { Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { HealthPost } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { StateBadge, type Shown } from '~/ui/state/StateBadge'
import { useText } from '~/ui/text/catalogue'
import { useHealth } from './calls'
import classes from './Health.module.css'
import { PostDetails } from './PostDetails'
import { text } from './text'

const shown: Partial<Record<string, Shown>> = { new: 'queued', healthy: 'done', suspect: 'waiting', missing: 'failed', repaired: 'repaired', replaced: 'done', givenUp: 'failed' }

/** One post: how it is, why, and what one may do. */
export function PostItem({ post, now, change, manage }: { post: HealthPost; now: number; change: boolean; manage: boolean }) {
  const t = useText(text)
  const format = useFormat()
  const [open, setOpen] = useState(false)
  const { check, undo, keep } = useHealth()
  const failed = { onError: (error: Error) => void notifications.show({ color: 'red', message: error.message, autoClose: false }) }
  const Sign = open ? IconChevronDown : IconChevronRight
  const stage = t.stages[post.stage]
  const facts = [
    post.checked === null ? t.notChecked : t.checked(format.relative(post.checked, now)),
    t.due(Date.parse(post.due) <= now ? t.soon : format.relative(post.due, now)),
    post.verdict !== 'healthy' && post.whole !== null ? t.whole(format.relative(post.whole, now)) : null,
    post.gone > 0 ? t.articles(format.number(post.gone), format.number(post.articles)) : null,
  ]
  return (
    <li className={classes.post} data-verdict={post.verdict}>
      <div className={classes.head}>
        <button type="button" className={classes.name} aria-expanded={open} aria-label={t.details(post.name)} onClick={() => setOpen(!open)}>
          <Sign size={16} aria-hidden />
          <span title={post.name}>{post.name}</span>
        </button>
        <div className={classes.states}>
          <StateBadge state={shown[post.verdict] ?? 'queued'}>{t.verdicts[post.verdict] ?? post.verdict}</StateBadge>
          {stage !== undefined && <Text span size="xs" c="dimmed">{stage}</Text>}
          {post.kept !== null && <Text span size="xs" c="dimmed">{t.kept}</Text>}
        </div>
        {change && (
          <div className={classes.buttons}>
            {post.canUndo && <Button size="compact-sm" variant="default" loading={undo.isPending} aria-label={t.undoOf(post.name)} onClick={() => undo.mutate(post.id, { ...failed, onSuccess: () => void notifications.show({ message: t.undone(post.name) }) })}>{t.undo}</Button>}
            {(post.kept !== null || post.verdict === 'givenUp') && <Button size="compact-sm" variant="default" loading={keep.isPending} aria-label={t.letOf(post.name)} onClick={() => keep.mutate({ id: post.id, keep: false }, failed)}>{t.let}</Button>}
            {post.kept === null && <Button size="compact-sm" variant="subtle" loading={keep.isPending} aria-label={t.keepOf(post.name)} onClick={() => keep.mutate({ id: post.id, keep: true }, failed)}>{t.keep}</Button>}
            <Button size="compact-sm" variant="subtle" loading={check.isPending} aria-label={t.checkOf(post.name)} onClick={() => check.mutate(post.id, failed)}>{t.check}</Button>
          </div>
        )}
      </div>
      {post.reason !== null && <Text size="sm" className={classes.reason}>{post.reason}</Text>}
      <Text size="xs" c="dimmed" className={classes.reason}>{facts.filter((fact) => fact !== null).join(' · ')}</Text>
      {open && <PostDetails id={post.id} manage={manage} />}
    </li>
  )
}
