import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { Column, Sort } from './column'
import classes from './grid.module.css'

type Props<T> = { columns: readonly Column<T>[]; template: string; sort?: Sort; onSort?: (by: string) => void; hidden: boolean }

/** The titles; those that sort are buttons. */
export function GridHead<T>({ columns, template, sort, onSort, hidden }: Props<T>) {
  return (
    <div role="row" aria-rowindex={1} className={hidden ? 'visually-hidden' : classes.head} style={{ gridTemplateColumns: template }}>
      {columns.map((column) => {
        const sorted = sort !== undefined && sort.by === column.sort
        return (
          <div key={column.id} role="columnheader" className={classes.title} data-end={column.end || undefined} data-column={column.id}
            aria-sort={sorted ? (sort.descending ? 'descending' : 'ascending') : undefined}>
            {column.untitled === true ? <span className="visually-hidden">{column.title}</span>
              : column.sort === undefined || onSort === undefined || hidden ? column.title
              : (
                <button type="button" className={classes.sort} onClick={() => onSort(column.sort ?? '')}>
                  {column.title}
                  {sorted && (sort.descending ? <IconArrowDown size={12} aria-hidden /> : <IconArrowUp size={12} aria-hidden />)}
                </button>
              )}
          </div>
        )
      })}
    </div>
  )
}
