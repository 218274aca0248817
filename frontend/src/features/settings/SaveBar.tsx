import { Button, Collapse, Group, Text, TextInput } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { Changes } from '~/ui/setting/Changes'
import type { DraftState } from '~/ui/setting/useDraft'
import { useText } from '~/ui/text/catalogue'
import classes from './Settings.module.css'
import { text } from './text'

type Props = { query: string; onQuery: (query: string) => void; state: DraftState; busy: boolean; onSave: () => void }

/** Search, and what is not saved yet: counted, shown, saved (Ctrl+S) or given up. Stays at the top. */
export function SaveBar({ query, onQuery, state, busy, onSave }: Props) {
  const t = useText(text)
  const [open, { toggle }] = useDisclosure(false)
  const count = state.changes.length
  useHotkeys([['mod+S', onSave]], [])
  return (
    <div className={classes.head}>
      <TextInput className={classes.search} type="search" aria-label={t.search} placeholder={t.search} leftSection={<IconSearch size={16} aria-hidden />} value={query} onChange={(event) => onQuery(event.currentTarget.value)} />
      <Text size="sm" role="status">{count > 0 ? t.unsaved(count) : ''}</Text>
      {count > 0 && (
        <Group gap="xs">
          <Button variant="subtle" size="compact-md" aria-expanded={open} onClick={toggle}>{t.review}</Button>
          <Button variant="default" size="compact-md" onClick={state.discard}>{t.discard}</Button>
          <Button size="compact-md" loading={busy} aria-keyshortcuts="Control+S" onClick={onSave}>{t.save}</Button>
        </Group>
      )}
      {count > 0 && <Collapse expanded={open} w="100%"><Changes changes={state.changes} /></Collapse>}
    </div>
  )
}
