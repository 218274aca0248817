import { Button, PasswordInput, Stack, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { useUsers } from './calls'
import { text } from './text'

/** Changes one's own password. */
export function OwnPassword() {
  const t = useText(text)
  const { changeOwn } = useUsers()
  const [old, setOld] = useState('')
  const [next, setNext] = useState('')
  const submit = () => changeOwn.mutate({ old, new: next }, {
    onSuccess: () => {
      setOld('')
      setNext('')
      notifications.show({ message: t.changed })
    },
  })
  return (
    <section>
      <Title order={2} mb="xs">{t.change}</Title>
      <form className="surface" style={{ padding: 16, maxWidth: 480 }} onSubmit={(event) => { event.preventDefault(); submit() }}>
        <Stack gap="sm">
          <PasswordInput label={t.oldPassword} required autoComplete="current-password" value={old} onChange={(event) => setOld(event.currentTarget.value)} />
          <PasswordInput label={t.newPassword} description={t.passwordHint} required minLength={10} autoComplete="new-password" value={next} onChange={(event) => setNext(event.currentTarget.value)} />
          {changeOwn.error !== null && <ErrorNote error={changeOwn.error} />}
          <Button type="submit" loading={changeOwn.isPending} style={{ alignSelf: 'flex-start' }}>{t.changeDo}</Button>
        </Stack>
      </form>
    </section>
  )
}
