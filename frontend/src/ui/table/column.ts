import type { ReactNode } from 'react'

/** What a cell may need to know of its row. */
export type RowState = { index: number; active: boolean; selected: boolean }

/** One column of a grid. Columns are compared by identity: keep them in a memo. */
export type Column<T> = {
  id: string
  title: string
  /** Track of CSS grid: "minmax(0, 2fr)", "96px". */
  track: string
  /** Figures stand at the right. */
  end?: boolean
  /** What the server is asked to sort by; without it the column does not sort. */
  sort?: string
  /** Not for people who see: the title stands in the row's own signs (boxes, buttons). */
  untitled?: boolean
  cell: (row: T, state: RowState) => ReactNode
}

/** What a list is sorted by. */
export type Sort = { by: string; descending: boolean }
