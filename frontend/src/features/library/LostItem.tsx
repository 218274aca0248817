import { Button, Text } from '@mantine/core'
import { IconAlertTriangle, IconArrowBarUp, IconEyeOff, IconPinned } from '@tabler/icons-react'
import { memo } from 'react'
import type { LostRow } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import classes from './Library.module.css'
import { nameOf, stateOf } from './rows'
import { text } from './text'

const signs = { lost: IconAlertTriangle, hidden: IconEyeOff, kept: IconPinned, seeding: IconArrowBarUp } as const
const colours: Partial<Record<string, string>> = { lost: 'var(--nz-waiting)', hidden: 'var(--nz-paused)', kept: 'var(--nz-done)', seeding: 'var(--nz-done)' }

type Props = { row: LostRow; top: number; now: number; manage: boolean; waiting: boolean; onKeep: (path: string) => void; onRemove: (path: string) => void; onUndo: (path: string) => void }

/** One file that no library has any more. */
export const LostItem = memo(function LostItem({ row, top, now, manage, waiting, onKeep, onRemove, onUndo }: Props) {
  const t = useText(text)
  const format = useFormat()
  const state = stateOf(row)
  const name = nameOf(row.path)
  const Sign = signs[state as keyof typeof signs] as typeof IconPinned | undefined
  const when = (time: string) => (Date.parse(time) <= now ? t.soon : format.relative(time, now))
  const due = [row.hideAt === null ? null : t.hides(when(row.hideAt)), row.deleteAt === null ? null : t.deletes(when(row.deleteAt))].filter((part) => part !== null)
  const next = waiting ? [t.deleting] : due.length === 0 ? [state === 'seeding' ? t.staysSeeding : t.stays] : due
  return (
    <li className={classes.row} style={{ transform: `translateY(${top}px)` }} data-waiting={waiting || undefined} data-path={row.path}>
      <div style={{ minWidth: 0 }}>
        <Text size="sm" className={classes.cut} title={row.path}>{name}</Text>
        <Text size="xs" c="dimmed" className={classes.cut} title={row.lastLink}>{t.lastLink(row.lastLink)}</Text>
      </div>
      <Text size="sm" c={colours[state]} style={{ display: 'flex', gap: 4, alignItems: 'center' }}>{Sign !== undefined && <Sign size={14} aria-hidden />}{t.states[state] ?? row.state}</Text>
      <time className={classes.cut} dateTime={row.since} title={format.dateTime(row.since)}><Text span size="sm">{format.relative(row.since, now)}</Text></time>
      <div style={{ minWidth: 0 }}>{next.map((part) => <Text key={part} size="xs" c="dimmed" className={classes.cut}>{part}</Text>)}</div>
      <div className={classes.buttons}>
        {manage && waiting && <Button size="compact-sm" variant="default" onClick={() => onUndo(row.path)}>{t.undo}</Button>}
        {manage && !waiting && state !== 'kept' && <Button size="compact-sm" variant="default" aria-label={t.keepOf(name)} onClick={() => onKeep(row.path)}>{t.keep}</Button>}
        {manage && !waiting && <Button size="compact-sm" variant="subtle" color="red" aria-label={t.removeOf(name)} onClick={() => onRemove(row.path)}>{t.remove}</Button>}
      </div>
    </li>
  )
})
