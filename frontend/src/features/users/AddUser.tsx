import { Button, Group, PasswordInput, Radio, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { Confirmed } from '~/api/Confirmed'
import type { User } from '~/api/types'
import { Dialog } from '~/ui/Dialog'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { useUsers } from './calls'
import { useRoles } from './roles'
import { text } from './text'

/** Lets somebody else sign in. */
export function AddUser({ onClose }: { onClose: () => void }) {
  const t = useText(text)
  const roles = useRoles()
  const { add } = useUsers()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [role, setRole] = useState<User['role']>('viewer')
  const [asking, ask] = useState(false)
  const submit = (confirmation: string) => {
    ask(false)
    add.mutate({ username, password, role, confirmation }, {
      onSuccess: () => {
        notifications.show({ message: t.added(username) })
        onClose()
      },
    })
  }
  if (asking) return <Confirmed title={t.add} action={t.add} onConfirmed={submit} onClose={() => ask(false)} />
  return (
    <Dialog opened onClose={onClose} title={t.add}>
      <form onSubmit={(event) => { event.preventDefault(); ask(true) }}>
        <Stack gap="sm">
          <TextInput label={t.username} required maxLength={64} autoComplete="off" value={username} onChange={(event) => setUsername(event.currentTarget.value)} data-autofocus />
          <PasswordInput label={t.password} description={t.passwordHint} required minLength={10} autoComplete="new-password" value={password} onChange={(event) => setPassword(event.currentTarget.value)} />
          <Radio.Group label={t.role} value={role} onChange={(value) => setRole(value)}>
            <Stack gap={6} mt={4}>{roles.map((each) => <Radio key={each.value} value={each.value} label={each.label} description={t.roleHints[each.value]} />)}</Stack>
          </Radio.Group>
          {add.error !== null && <ErrorNote error={add.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>{t.cancel}</Button>
            <Button type="submit" loading={add.isPending}>{t.add}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
