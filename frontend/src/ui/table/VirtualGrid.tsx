import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import { useCallback, useEffect, useMemo, useRef, type KeyboardEvent, type MouseEvent, type PointerEvent, type ReactNode, type RefObject } from 'react'
import type { Column, Sort } from './column'
import classes from './grid.module.css'
import { GridHead } from './GridHead'
import { GridRow } from './GridRow'
import { moved } from './keys'
import { HeadHeight } from './useRowHeight'

type Props<T> = {
  label: string
  columns: readonly Column<T>[]
  count: number
  /** The row at a place; undefined while it is being read. */
  row: (index: number) => T | undefined
  rowKey: (row: T) => string
  height: number
  /** The row that Tab reaches. */
  active: number
  onActive: (index: number, by: KeyboardEvent | null) => void
  isSelected?: (row: T) => boolean
  /** At most one row is selected. */
  single?: boolean
  isDimmed?: (row: T) => boolean
  /** Its details are shown beside the list. */
  isCurrent?: (row: T) => boolean
  /** Keys that do not move the focus. */
  onKey?: (event: KeyboardEvent, index: number) => void
  onRowClick?: (event: MouseEvent, index: number) => void
  onRowMenu?: (event: MouseEvent, index: number) => void
  onPointerDown?: (event: PointerEvent) => void
  /** The rows that are drawn, so that what is missing can be read. */
  onRange?: (first: number, last: number) => void
  /** Whether the list stands at its top. */
  onTop?: (top: boolean) => void
  sort?: Sort
  onSort?: (by: string) => void
  /** Titles are for readers of the screen only: rows of two lines on narrow screens. */
  untitled?: boolean
  /** The gap before which what is dragged would land. */
  marker?: number | null
  scroller: RefObject<HTMLDivElement | null>
  /** Name under which the place of the scroll bar is kept over "back". */
  scrollId: string
  children?: ReactNode
}

/** A list of any length as an ARIA grid: rows of one height, drawn where they can be seen; one of them is in the order of Tab, arrows move on. */
export function VirtualGrid<T>(props: Props<T>) {
  const { columns, count, row, rowKey, height, active, onActive, onRange, onTop, scroller, untitled = false } = props
  const margin = untitled ? 0 : HeadHeight
  const template = useMemo(() => columns.map((column) => column.track).join(' '), [columns])
  const place = Math.min(Math.max(0, active), Math.max(0, count - 1))
  // The row with the focus stays mounted, wherever the list is scrolled to.
  const rangeExtractor = useCallback((range: Range) => {
    const shown = defaultRangeExtractor(range)
    return place < count && !shown.includes(place) ? [...shown, place].sort((a, b) => a - b) : shown
  }, [place, count])
  // eslint-disable-next-line react-hooks/incompatible-library -- rows are memo components of their own, nothing else reads the virtualizer
  const virtual = useVirtualizer({
    count, estimateSize: () => height, getScrollElement: () => scroller.current, overscan: 12, scrollMargin: margin, scrollPaddingStart: margin, rangeExtractor,
  })
  useEffect(() => virtual.measure(), [virtual, height])

  const range = virtual.range
  useEffect(() => onRange?.(range?.startIndex ?? 0, range?.endIndex ?? 0), [onRange, range?.startIndex, range?.endIndex])

  const asked = useRef(false)
  useEffect(() => {
    if (!asked.current) return
    asked.current = false
    scroller.current?.querySelector<HTMLElement>(`[data-index="${place}"]`)?.focus({ preventScroll: true })
  }, [place, scroller])

  const key = (event: KeyboardEvent) => {
    const onRow = (event.target as HTMLElement).dataset.index !== undefined
    const page = Math.floor(((scroller.current?.clientHeight ?? 0) - margin) / height)
    const to = onRow ? moved(event, place, count, page) : null
    if (to === null) return props.onKey?.(event, place)
    event.preventDefault()
    asked.current = true
    virtual.scrollToIndex(to)
    onActive(to, event)
  }
  const seen = new Set<string>()
  return (
    <div ref={scroller} className={classes.grid} role="grid" aria-label={props.label} aria-rowcount={count + 1} aria-colcount={columns.length} aria-multiselectable={props.isSelected !== undefined && props.single !== true}
      data-scroll-restoration-id={props.scrollId} tabIndex={count === 0 ? 0 : -1}
      onKeyDown={key} onPointerDown={props.onPointerDown}
      onScroll={(event) => onTop?.(event.currentTarget.scrollTop < height / 2)}
      onFocus={(event) => { const index = indexOf(event.target); if (index !== null && index !== place) onActive(index, null) }}
      onClick={(event) => { const index = indexOf(event.target); if (index !== null) props.onRowClick?.(event, index) }}
      onContextMenu={(event) => { const index = indexOf(event.target); if (index !== null) props.onRowMenu?.(event, index) }}>
      <GridHead columns={columns} template={template} sort={props.sort} onSort={props.onSort} hidden={untitled} />
      <div role="presentation" className={classes.body} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const value = row(item.index)
          // While pages are of different moments a row may stand in two.
          const known = value === undefined ? `#${item.index}` : rowKey(value)
          const id = seen.has(known) ? `${known}#${item.index}` : known
          seen.add(known)
          return (
            <GridRow key={id} row={value} index={item.index} start={item.start - margin} height={height} columns={columns} template={template} active={item.index === place}
              selectable={props.isSelected !== undefined} selected={value !== undefined && (props.isSelected?.(value) ?? false)} dimmed={value !== undefined && (props.isDimmed?.(value) ?? false)}
              current={value !== undefined && (props.isCurrent?.(value) ?? false)} />
          )
        })}
        {props.marker != null && <div className={classes.marker} style={{ transform: `translateY(${props.marker * height - 1}px)` }} />}
      </div>
      {props.children}
    </div>
  )
}

function indexOf(target: EventTarget): number | null {
  const index = (target as Element).closest<HTMLElement>('[data-index]')?.dataset.index
  return index === undefined ? null : Number(index)
}
