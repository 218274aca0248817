import { useNavigate } from '@tanstack/react-router'
import { useCallback, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import type { FileItem } from '~/api/types'
import { useRowHeight } from '~/ui/table/useRowHeight'
import { VirtualGrid } from '~/ui/table/VirtualGrid'
import { useText } from '~/ui/text/catalogue'
import type { Asked } from '../actions/FileDialogs'
import { text } from '../text'
import type { useFilesState } from '../useFilesState'
import { useColumns } from './useColumns'
import type { useFileRows } from './useFileRows'
import type { useFileSelection } from './useFileSelection'

type Props = {
  state: ReturnType<typeof useFilesState>
  rows: ReturnType<typeof useFileRows>
  selection: ReturnType<typeof useFileSelection>
  selectable: boolean
  onAsk: (asked: Asked) => void
}

/** The list. Enter opens, Space chooses, I shows details, F2 renames, Delete deletes, Backspace goes up. */
export function FileTable({ state, rows, selection, selectable, onAsk }: Props) {
  const t = useText(text)
  const { height, narrow } = useRowHeight()
  const scroller = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const [active, setActive] = useState(0)
  const searching = state.list.query !== ''
  const { go, select } = state
  const columns = useColumns({ narrow, searching, selectable, onToggle: selection.toggle, onDetails: select })
  const open = useCallback((item: FileItem) => item.kind === 'collection' ? go(item.path) : select(item.id), [go, select])
  const changing = (item: FileItem) => selection.count > 0 ? selection.items() : [item]

  const key = (event: KeyboardEvent, index: number) => {
    if ((event.target as HTMLElement).dataset.index === undefined) return
    const item = rows.row(index)
    const done = () => event.preventDefault()
    if (event.key === 'Backspace') {
      const up = rows.page?.ancestors.length === 0 ? undefined : state.list.path.replace(/\/[^/]*$/, '')
      if (up !== undefined && up !== '' && !searching) go(up)
      return done()
    }
    if ((event.ctrlKey || event.metaKey) && event.key === 'a' && selectable) {
      selection.all()
      return done()
    }
    if (item === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter') open(item)
    else if (event.key === ' ' && selectable) selection.toggle(item, index)
    else if (event.key === 'i') select(item.id)
    else if (event.key === 'p' && item.playable) void navigate({ to: '/play/$id', params: { id: item.id } })
    else if (event.key === 'F2' && selectable) onAsk({ what: 'rename', items: [item] })
    else if (event.key === 'Delete' && selectable) onAsk({ what: 'delete', items: changing(item) })
    else return
    done()
  }

  const click = (event: MouseEvent, index: number) => {
    const item = rows.row(index)
    if (item === undefined || (event.target as Element).closest('a,button,input,label') !== null) return
    if (event.shiftKey && selectable) selection.range(index)
    else if ((event.ctrlKey || event.metaKey) && selectable) selection.toggle(item, index)
    else open(item)
  }

  return (
    <VirtualGrid label={t.list} columns={columns} count={rows.total} row={rows.row} rowKey={idOf} height={height} active={active}
      onActive={(index, by) => { selection.moved(active, index, by); setActive(index) }} isSelected={selectable ? selection.isSelected : undefined} isCurrent={(item) => item.id === state.selected}
      onKey={key} onRowClick={click} onRange={rows.onRange} sort={searching ? undefined : { by: state.list.sort, descending: state.list.descending }}
      onSort={searching ? undefined : state.sortBy} untitled={narrow} scroller={scroller} scrollId={`files:${state.list.path}:${state.list.query}`} />
  )
}

const idOf = (item: FileItem) => item.id
