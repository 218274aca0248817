import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { Dialog } from './Dialog'
import { defineText, useText } from './text/catalogue'

const text = defineText(
  { password: 'Your password', name: 'Administrator', nameHint: 'You did not sign in with a password: enter the name and password of an administrator.', cancel: 'Cancel' },
  { password: 'Das eigene Passwort', name: 'Administrator', nameHint: 'Diese Anmeldung kam ohne Passwort aus: Name und Passwort eines Administrators eingeben.', cancel: 'Abbrechen' },
)

type Props = {
  opened: boolean; title: string; action: string; busy: boolean; error: Error | null; askName: boolean; children?: ReactNode
  onClose: () => void; onSubmit: (credentials: { password: string; username: string | null }) => void
}

/** Asks for the password once more before something is shown that opens everything. */
export function PasswordAgain({ opened, title, action, busy, error, askName, children, onClose, onSubmit }: Props) {
  const t = useText(text)
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const close = () => {
    setPassword('')
    onClose()
  }
  return (
    <Dialog opened={opened} onClose={close} title={title} centered>
      <form onSubmit={(event) => { event.preventDefault(); onSubmit({ password, username: askName ? name : null }); setPassword('') }}>
        <Stack gap="sm">
          {children}
          {askName && <Text size="sm" c="dimmed">{t.nameHint}</Text>}
          {askName && <TextInput label={t.name} value={name} required autoComplete="username" onChange={(event) => setName(event.currentTarget.value)} />}
          <PasswordInput label={t.password} value={password} required data-autofocus autoComplete="current-password" error={error?.message} onChange={(event) => setPassword(event.currentTarget.value)} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>{t.cancel}</Button>
            <Button type="submit" loading={busy}>{action}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
