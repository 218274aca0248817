import { Chip, Group, Text, TextInput, Title } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMediaQuery } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import type { LostRow } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { Empty } from '~/ui/state/Empty'
import { useText } from '~/ui/text/catalogue'
import { useNow } from '~/ui/useNow'
import classes from './Library.module.css'
import { LostItem } from './LostItem'
import { filtered, stateOf } from './rows'
import { text } from './text'
import { useActs } from './useActs'

/** What no library has any more: since when, what happens to it, and the ways out. */
export function Lost({ rows, manage }: { rows: readonly LostRow[]; manage: boolean }) {
  const t = useText(text)
  const format = useFormat()
  const now = useNow(60_000)
  const { q = '', state = '' }: Partial<Record<string, string>> = useSearch({ strict: false })
  const navigate = useNavigate({ from: '/library' })
  const narrow = useMediaQuery('(max-width: 64em)')
  const scroller = useRef<HTMLDivElement>(null)
  const acts = useActs()
  const shown = filtered(rows, q, state)
  const height = narrow ? 112 : 56
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtual = useVirtualizer({ count: shown.length, getScrollElement: () => scroller.current, estimateSize: () => height, overscan: 8, getItemKey: (at) => shown[at]?.path ?? at })
  if (rows.length === 0) return <Empty title={t.none}><Text c="dimmed">{t.noneHint}</Text></Empty>
  const set = (part: { q?: string; state?: string }) => void navigate({ search: { q: q || undefined, state: state || undefined, ...part }, replace: true, resetScroll: false })
  const states = [...new Set(rows.map(stateOf))].sort()
  return (
    <section>
      <Title order={2}>{t.lost}</Title>
      <div className={classes.filters}>
        <TextInput flex="1 1 220px" maw={360} type="search" aria-label={t.filter} placeholder={t.filter} leftSection={<IconSearch size={16} aria-hidden />} value={q} onChange={(event) => set({ q: event.currentTarget.value || undefined })} />
        <Chip.Group value={state} onChange={(value) => set({ state: value || undefined })}>
          <Group gap={6}>
            <Chip value="">{t.all} {format.number(rows.length)}</Chip>
            {states.map((each) => <Chip key={each} value={each}>{t.states[each] ?? each} {format.number(rows.filter((row) => stateOf(row) === each).length)}</Chip>)}
          </Group>
        </Chip.Group>
        <Text size="sm" c="dimmed" role="status">{t.count(format.number(shown.length))}</Text>
      </div>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard has to reach it */}
      <div ref={scroller} className={classes.list} tabIndex={0} role="region" aria-label={t.lost}>
        <div className={classes.names} aria-hidden><span>{t.name}</span><span>{t.state}</span><span>{t.since}</span><span>{t.next}</span><span /></div>
        <ul className={classes.space} style={{ height: virtual.getTotalSize(), margin: 0, padding: 0, listStyle: 'none' }}>
          {virtual.getVirtualItems().map((item) => {
            const row = shown[item.index]
            return row !== undefined && <LostItem key={item.key} row={row} top={item.start} now={now} manage={manage} waiting={acts.waiting.has(row.path)} onKeep={acts.keep} onRemove={acts.remove} onUndo={acts.undo} />
          })}
        </ul>
      </div>
    </section>
  )
}
