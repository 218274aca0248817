import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconArrowUp } from '@tabler/icons-react'
import { useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import type { Job } from '~/api/types'
import { useRowDrag } from '~/ui/table/useRowDrag'
import { HeadHeight, useRowHeight } from '~/ui/table/useRowHeight'
import { VirtualGrid } from '~/ui/table/VirtualGrid'
import { useText } from '~/ui/text/catalogue'
import type { JobView } from './list/filter'
import { pressed } from './list/pressed'
import { useColumns } from './list/useColumns'
import type { Commands } from './list/useCommands'
import type { JobList } from './list/useJobList'
import classes from './parts/parts.module.css'
import { text } from './text'

type Props = { list: JobList; view: JobView; may: boolean; commands: Commands; onSort: (by: string) => void; onTop: (top: boolean) => void }

/** The list itself: rows, the focus among them, and what pointer and keys do. */
export function JobGrid({ list, view, may, commands, onSort, onTop }: Props) {
  const t = useText(text)
  const { height, narrow } = useRowHeight()
  const roomy = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false })
  const columns = useColumns({ narrow, tight: !roomy || view.open !== null, selects: may, drags: view.sort.by === 'turn' })
  const scroller = useRef<HTMLDivElement>(null)
  // The focus stays with its job when rows move.
  const [focused, setFocused] = useState<{ id: string | undefined; index: number }>({ id: undefined, index: 0 })
  const found = focused.id === undefined || list.row(focused.index)?.id === focused.id ? focused.index : list.find(focused.id)
  const active = found < 0 ? focused.index : found
  const { drag, start } = useRowDrag({ scroller, height, margin: narrow ? 0 : HeadHeight, count: list.count, onDrop: commands.drop })

  const onActive = (index: number, by: KeyboardEvent | null) => {
    setFocused({ id: list.row(index)?.id, index })
    if (by?.shiftKey === true) commands.range(index, active)
  }
  const onClick = (event: MouseEvent, index: number) => {
    const job = list.row(index)
    const target = event.target as Element
    if (job === undefined) return
    if (target.closest('[data-menu]') !== null) commands.menu(job, index)
    else if (event.shiftKey) commands.range(index, active)
    else if (target.closest('[data-select]') !== null || event.ctrlKey || event.metaKey) {
      // A link with Ctrl opens in another tab, as links do.
      if (target.closest('[data-open]') === null) commands.toggle(job, index)
    } else if (target.closest('[data-drag]') === null && getSelection()?.isCollapsed !== false) {
      event.preventDefault()
      commands.open(job)
    }
  }
  const { arrived, gone } = list.news
  return (
    <>
      {arrived + gone > 0 && (
        <Button className={classes.news} size="compact-sm" radius="xl" leftSection={<IconArrowUp size={14} aria-hidden />}
          onClick={() => { scroller.current?.scrollTo({ top: 0 }); list.refresh() }}>{t.news(arrived, gone)}</Button>
      )}
      <VirtualGrid<Job> label={t.list} columns={columns} count={list.count} row={list.row} rowKey={(job) => job.id} height={height} untitled={narrow} scroller={scroller} scrollId="jobs"
        active={active} onActive={onActive} isSelected={may ? commands.isSelected : undefined} isDimmed={(job) => list.isGone(job.id)} isCurrent={(job) => job.id === view.open}
        onKey={(event, index) => { if (pressed(event, { job: list.row(index), index }, commands)) { event.preventDefault(); event.stopPropagation() } }}
        onRowClick={onClick} onRowMenu={(event, index) => { const job = list.row(index); if (job !== undefined && (event.target as Element).closest('[data-open]') === null) { event.preventDefault(); commands.menu(job, index, { x: event.clientX, y: event.clientY }) } }}
        onPointerDown={start} marker={drag?.to ?? null} onRange={list.onRange}
        onTop={(top) => { onTop(top); if (top && arrived + gone > 0) list.refresh() }} sort={view.sort.by === 'turn' ? undefined : view.sort} onSort={onSort} />
    </>
  )
}
