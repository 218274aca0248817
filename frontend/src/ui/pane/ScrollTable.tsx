import type { ReactNode } from 'react'
import classes from './pane.module.css'

/** A table that scrolls by itself once it is long. Cells with `data-end` stand to the right. */
export function ScrollTable({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keyboard
    <div className={classes.scroll} tabIndex={0} role="group" aria-label={label}>
      <table className={className === undefined ? classes.table : `${classes.table} ${className}`}>{children}</table>
    </div>
  )
}
