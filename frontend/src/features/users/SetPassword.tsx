import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { Confirmed } from '~/api/Confirmed'
import { Dialog } from '~/ui/Dialog'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { useUsers } from './calls'
import { text } from './text'

/** Gives another user a password. */
export function SetPassword({ name, onClose }: { name: string; onClose: () => void }) {
  const t = useText(text)
  const { setPassword } = useUsers()
  const [password, setTyped] = useState('')
  const [asking, ask] = useState(false)
  const submit = (confirmation: string) => {
    ask(false)
    setPassword.mutate({ name, password, confirmation }, {
      onSuccess: () => {
        notifications.show({ message: t.passwordSet(name) })
        onClose()
      },
    })
  }
  if (asking) return <Confirmed title={t.setPasswordOf(name)} action={t.save} onConfirmed={submit} onClose={() => ask(false)} />
  return (
    <Dialog opened onClose={onClose} title={t.setPasswordOf(name)} centered>
      <form onSubmit={(event) => { event.preventDefault(); ask(true) }}>
        <Stack gap="sm">
          <PasswordInput label={t.newPassword} description={t.passwordHint} required minLength={10} autoComplete="new-password" value={password} onChange={(event) => setTyped(event.currentTarget.value)} data-autofocus />
          {setPassword.error !== null && <ErrorNote error={setPassword.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>{t.cancel}</Button>
            <Button type="submit" loading={setPassword.isPending}>{t.save}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
