import { useCallback, useRef, useState, type KeyboardEvent } from 'react'
import type { FileItem } from '~/api/types'
import { has, nothing, ranged, toggled, without, type Selection } from '~/ui/table/selection'

type Row = (index: number) => FileItem | undefined

/** What is chosen in the list. The names of what is chosen are kept, so that a question can name them when they are out of sight. */
export function useFileSelection(row: Row, total: number) {
  const [selection, setSelection] = useState<Selection>(nothing)
  const known = useRef(new Map<string, FileItem>())
  const idAt = useCallback((index: number) => {
    const item = row(index)
    if (item !== undefined) known.current.set(item.id, item)
    return item?.id
  }, [row])
  const toggle = useCallback((item: FileItem, index: number) => {
    known.current.set(item.id, item)
    setSelection((before) => toggled(before, item.id, index, () => before.ids))
  }, [])
  const range = useCallback((index: number) => setSelection((before) => ranged(before, index, idAt)), [idAt])
  /** All rows that have been read: what has not been seen is not chosen. */
  const all = useCallback(() => {
    const ids = new Set<string>()
    for (let index = 0; index < total; index++) {
      const id = idAt(index)
      if (id !== undefined) ids.add(id)
    }
    setSelection((before) => ({ all: false, ids, anchor: before.anchor }))
  }, [idAt, total])
  const clear = useCallback(() => setSelection(nothing), [])
  /** Without those that are no more. */
  const drop = useCallback((gone: readonly string[]) => setSelection((before) => without(before, gone)), [])
  const items = useCallback(() => [...selection.ids].flatMap((id) => known.current.get(id) ?? []), [selection])
  /** The focus has gone from one row to another; with Shift it takes all between along. */
  const moved = useCallback((from: number, to: number, by: KeyboardEvent | null) => {
    if (by?.shiftKey === true) setSelection((before) => ranged({ ...before, anchor: before.anchor ?? from }, to, idAt))
  }, [idAt])
  return { count: selection.ids.size, isSelected: useCallback((item: FileItem) => has(selection, item.id), [selection]), toggle, range, all, clear, drop, items, moved }
}
