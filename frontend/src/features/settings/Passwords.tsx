import { Button, Group, PasswordInput, Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Setting } from '~/api/types'
import { freeNumber, instancesOf } from '~/ui/setting/instances'
import { SettingFields } from '~/ui/setting/SettingFields'
import type { DraftState } from '~/ui/setting/useDraft'
import { useText } from '~/ui/text/catalogue'
import classes from './Settings.module.css'
import { text } from './text'

const Prefix = 'Import:Passwords'

/** The passwords that are tried on archives. */
export function Passwords({ settings, template, state }: { settings: readonly Setting[]; template: readonly Setting[]; state: DraftState }) {
  const t = useText(text).passwords
  const [typed, setTyped] = useState('')
  const instances = useMemo(() => instancesOf(Prefix, settings, template, state.draft), [settings, template, state.draft])
  const fields = useMemo(() => instances.flatMap((instance) => instance.settings.map((setting) => ({ ...setting, title: t.number(instance.number + 1), description: '', advanced: false }))), [instances, t])
  const add = () => {
    if (typed === '') return
    state.replace((draft) => ({ ...draft, [`${Prefix}:${freeNumber(instances)}`]: typed }))
    setTyped('')
  }
  return (
    <>
      <Title order={3} mt="md">{t.title}</Title>
      <Text size="sm" c="dimmed" mb="xs">{t.hint}</Text>
      <div className={classes.panel}>
        {fields.length === 0 ? <Text size="sm" p="md">{t.none}</Text> : <SettingFields settings={fields} state={state} all />}
        <form onSubmit={(event) => { event.preventDefault(); add() }}>
          <Group p="md" gap="xs">
            <PasswordInput flex={1} maw={420} aria-label={t.placeholder} placeholder={t.placeholder} autoComplete="new-password" value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
            <Button type="submit" variant="default" disabled={typed === ''}>{t.add}</Button>
          </Group>
        </form>
      </div>
    </>
  )
}
