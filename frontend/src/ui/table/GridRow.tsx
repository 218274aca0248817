import { memo, type CSSProperties, type ReactNode } from 'react'
import type { Column } from './column'
import classes from './grid.module.css'

export type RowProps<T> = {
  row: T | undefined
  index: number
  start: number
  height: number
  columns: readonly Column<T>[]
  template: string
  active: boolean
  selected: boolean
  selectable: boolean
  dimmed: boolean
  current: boolean
}

/** One row. Draws nothing anew unless it has changed: events come four times a second. */
function Row<T>({ row, index, start, height, columns, template, active, selected, selectable, dimmed, current }: RowProps<T>): ReactNode {
  const style: CSSProperties = { transform: `translateY(${start}px)`, height, gridTemplateColumns: template }
  return (
    <div role="row" aria-rowindex={index + 2} aria-selected={selectable ? selected : undefined} aria-busy={row === undefined || undefined} aria-current={current || undefined} data-index={index}
      className={classes.row} data-active={active || undefined} data-selected={selected || undefined} data-dimmed={dimmed || undefined} tabIndex={active ? 0 : -1} style={style}>
      {row === undefined
        ? <div role="gridcell" aria-colspan={columns.length} className={classes.blank} />
        : columns.map((column) => (
          <div key={column.id} role="gridcell" className={classes.cell} data-end={column.end || undefined} data-column={column.id}>{column.cell(row, { index, active, selected })}</div>
        ))}
    </div>
  )
}

export const GridRow = memo(Row) as typeof Row
