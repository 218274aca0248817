import { Button, CloseButton, Text } from '@mantine/core'
import { IconFolderSymlink, IconTrash } from '@tabler/icons-react'
import { useHotkeys } from '@mantine/hooks'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './list.module.css'

type Props = { count: number; onAsk: (what: 'move' | 'delete') => void; onClear: () => void }

/** What can be done with everything that is chosen. */
export function BulkBar({ count, onAsk, onClear }: Props) {
  const t = useText(text)
  useHotkeys([['Escape', onClear]])
  return (
    <div className={`surface ${classes.bulk}`} role="toolbar" aria-label={t.selected(count)}>
      <Text fw={600} role="status">{t.selected(count)}</Text>
      <Button size="compact-md" variant="default" leftSection={<IconFolderSymlink size={16} aria-hidden />} onClick={() => onAsk('move')}>{t.move}</Button>
      <Button size="compact-md" variant="default" c="var(--nz-failed)" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => onAsk('delete')}>{t.delete}</Button>
      <CloseButton aria-label={t.unselect} onClick={onClear} />
    </div>
  )
}
