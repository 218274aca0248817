import { ActionIcon, Checkbox } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { FileItem } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import type { Column } from '~/ui/table/column'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import { FileName } from './FileName'

type Options = { narrow: boolean; searching: boolean; selectable: boolean; onToggle: (item: FileItem, index: number) => void; onDetails: (id: string) => void }

/** The columns of the list: on narrow screens size and date stand below the name. */
export function useColumns({ narrow, searching, selectable, onToggle, onDetails }: Options): Column<FileItem>[] {
  const t = useText(text)
  const format = useFormat()
  return useMemo(() => {
    const size = (item: FileItem) => item.kind === 'file' || item.size > 0 ? format.size(item.size) : ''
    const folder = (item: FileItem) => item.path.slice(0, -item.name.length - 1)
    const note = (item: FileItem) => {
      const parts = [narrow ? size(item) : '', narrow ? format.dateTime(item.modified) : '', searching ? folder(item) : ''].filter((part) => part !== '')
      return narrow ? parts.join(' · ') : null
    }
    const select: Column<FileItem> = {
      id: 'select', title: t.columns.select, track: '24px', untitled: true,
      cell: (item, { index, active, selected }) => (
        <Checkbox size="xs" aria-label={t.select(item.name)} checked={selected} tabIndex={active ? 0 : -1} onChange={() => onToggle(item, index)} onClick={(event) => event.stopPropagation()} />
      ),
    }
    const info: Column<FileItem> = {
      id: 'info', title: t.columns.info, track: narrow ? '44px' : '28px', untitled: true,
      cell: (item, { active }) => (
        <ActionIcon variant="subtle" color="gray" size={narrow ? 44 : 28} aria-label={t.details(item.name)} tabIndex={active ? 0 : -1} onClick={(event) => { event.stopPropagation(); onDetails(item.id) }}>
          <IconInfoCircle size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      ),
    }
    const columns: Column<FileItem>[] = [
      { id: 'name', title: t.columns.name, track: 'minmax(0, 1fr)', sort: 'name', cell: (item, { active }) => <FileName item={item} note={note(item)} active={active} /> },
    ]
    if (!narrow && searching) columns.push({ id: 'folder', title: t.path, track: 'minmax(0, 0.6fr)', cell: folder })
    if (!narrow) {
      columns.push({ id: 'size', title: t.columns.size, track: '88px', end: true, sort: 'size', cell: size })
      columns.push({ id: 'modified', title: t.columns.modified, track: '156px', end: true, sort: 'modified', cell: (item) => <time dateTime={item.modified}>{format.dateTime(item.modified)}</time> })
    }
    return [...selectable ? [select] : [], ...columns, info]
  }, [t, format, narrow, searching, selectable, onToggle, onDetails])
}
