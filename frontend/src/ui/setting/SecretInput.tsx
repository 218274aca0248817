import { Button, Group, PasswordInput, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useText } from '../text/catalogue'
import { isLocked, type SettingInfo } from './setting'
import { text } from './text'

type Props = { setting: SettingInfo; change: string | null | undefined; error: string | null; describedBy: string; onChange: (value: string | null) => void; onForget: () => void }

/** A secret: whether it is set, and a way to replace or remove it. What it is, is never shown. */
export function SecretInput({ setting, change, error, describedBy, onChange, onForget }: Props) {
  const t = useText(text)
  // Open and empty: what is typed keeps the field by itself, so it closes once that is saved or discarded.
  const [open, setOpen] = useState(false)
  const inputRef = useRef<HTMLInputElement>(null)
  const typing = change !== undefined && change !== null
  useEffect(() => {
    if (open) inputRef.current?.focus()
  }, [open])
  const type = (value: string) => {
    setOpen(value === '')
    if (value === '') onForget()
    else onChange(value)
  }
  if (!open && !typing && setting.isSet) {
    return (
      <Group gap="xs" mih={36}>
        {change === null ? <Text size="sm" c="dimmed">{t.removed}</Text> : <Group gap={4}><IconCheck size={16} aria-hidden color="var(--nz-done)" /><Text size="sm">{t.isSet}</Text></Group>}
        {!isLocked(setting) && <Button size="compact-sm" variant="default" aria-label={`${t.replace}: ${setting.title}`} onClick={() => setOpen(true)}>{t.replace}</Button>}
        {!isLocked(setting) && change !== null && <Button size="compact-sm" variant="subtle" aria-label={`${t.remove}: ${setting.title}`} onClick={() => onChange(null)}>{t.remove}</Button>}
        {error !== null && <Text size="xs" c="var(--mantine-color-error)" role="alert">{error}</Text>}
      </Group>
    )
  }
  return (
    <Group gap="xs" align="flex-start">
      <PasswordInput flex={1} maw={420} aria-label={setting.isSet ? t.newValue(setting.title) : setting.title} aria-describedby={describedBy} data-setting={setting.path} autoComplete="new-password" error={error ?? false}
        value={change ?? ''} ref={inputRef} onChange={(event) => type(event.currentTarget.value)} />
      {setting.isSet && <Button variant="subtle" onClick={() => { setOpen(false); onForget() }}>{t.keep}</Button>}
    </Group>
  )
}
