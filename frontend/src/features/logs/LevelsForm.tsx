import { Button, CloseButton, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import type { LogLevels } from '~/api/types'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { useSetLevels } from './calls'
import { text } from './text'

const Names = ['debug', 'information', 'warning', 'error', 'fatal', 'off']

/** What is logged: one level for all, and others for some categories. */
export function LevelsForm({ levels, onDone }: { levels: LogLevels; onDone: () => void }) {
  const t = useText(text)
  const set = useSetLevels()
  const [level, setLevel] = useState(levels.level ?? 'information')
  const [categories, setCategories] = useState<Record<string, string>>(levels.categories ?? {})
  const [added, setAdded] = useState('')
  const data = Names.map((value) => ({ value, label: t.names[value] ?? value }))
  const add = () => {
    if (added.trim() === '') return
    setCategories({ ...categories, [added.trim()]: 'debug' })
    setAdded('')
  }
  const submit = () => set.mutate({ level, categories }, {
    onSuccess: () => {
      notifications.show({ message: t.applied })
      onDone()
    },
  })
  return (
    <form onSubmit={(event) => { event.preventDefault(); submit() }}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">{t.changeHint}</Text>
        <Select label={t.all} data={data} value={level} allowDeselect={false} onChange={(value) => value !== null && setLevel(value)} />
        <Text fw={600}>{t.own}</Text>
        {Object.entries(categories).map(([category, own]) => (
          <Group key={category} gap="xs" wrap="nowrap">
            <Text size="sm" className="mono" flex={1} style={{ overflowWrap: 'anywhere' }}>{category}</Text>
            <Select aria-label={t.levelOf(category)} data={data} value={own} allowDeselect={false} w={140} onChange={(value) => value !== null && setCategories({ ...categories, [category]: value })} />
            <CloseButton aria-label={t.remove(category)} onClick={() => setCategories(Object.fromEntries(Object.entries(categories).filter(([name]) => name !== category)))} />
          </Group>
        ))}
        <Group gap="xs">
          <TextInput flex={1} aria-label={t.categoryName} placeholder={t.categoryName} value={added} onChange={(event) => setAdded(event.currentTarget.value)}
            onKeyDown={(event) => { if (event.key === 'Enter') { event.preventDefault(); add() } }} />
          <Button variant="default" disabled={added.trim() === ''} onClick={add}>{t.add}</Button>
        </Group>
        {set.error !== null && <ErrorNote error={set.error} />}
        <Group justify="flex-end"><Button variant="default" onClick={onDone}>{t.cancel}</Button><Button type="submit" loading={set.isPending}>{t.save}</Button></Group>
      </Stack>
    </form>
  )
}
