import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, take } from '~/api/client'
import { ApiError } from '~/api/error'
import { sessionQuery, useTakeSession } from '~/api/session'
import { useText } from '~/ui/text/catalogue'
import classes from './Setup.module.css'
import { text } from './text'
import { forgetToken, useToken } from './useToken'

/** The first user; the token from the log shows that whoever makes it owns the server. */
export function AccountStep({ next }: { next: () => void }) {
  const t = useText(text)
  const session = useQuery(sessionQuery).data
  if (session?.state === 'setup') return <NewAccount />
  return (
    <>
      <Text>{session?.username == null ? t.account.open : t.account.there(session.username)}</Text>
      <div className={classes.buttons}><Button onClick={next}>{t.next}</Button></div>
    </>
  )
}

function NewAccount() {
  const t = useText(text)
  const navigate = useNavigate()
  const takeSession = useTakeSession()
  const token = useToken()
  const form = useForm({ initialValues: { token: token ?? '', username: '', password: '' } })
  const create = useMutation({
    mutationFn: (body: { token: string; username: string; password: string }) => take(api.POST('/api/v1/setup', { body })),
    onSuccess: async (session) => {
      forgetToken()
      await navigate({ to: '/setup', search: { step: 'provider' }, replace: true })
      takeSession(session)
    },
  })
  const error = create.error instanceof ApiError && create.error.status === 403 ? t.account.tokenWrong : create.error?.message
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Stack gap="sm">
        <Text>{t.account.lead}</Text>
        <div role="alert">{error !== undefined && <Alert color="red" variant="light">{error}</Alert>}</div>
        {/* The link from the log fills it in; then only a wrong one needs to be seen. */}
        {(token === null || create.error !== null) && (
          <TextInput label={t.account.token} description={t.account.tokenHint} autoComplete="off" spellCheck={false} required withAsterisk={false} {...form.getInputProps('token')} />
        )}
        <TextInput label={t.account.name} name="username" autoComplete="username" autoCapitalize="none" spellCheck={false} required withAsterisk={false} maxLength={64} {...form.getInputProps('username')} />
        <PasswordInput label={t.account.password} description={t.account.passwordHint} name="password" autoComplete="new-password" required withAsterisk={false} minLength={10} maxLength={256} {...form.getInputProps('password')} />
      </Stack>
      <div className={classes.buttons}><Button type="submit" loading={create.isPending}>{t.account.create}</Button></div>
    </form>
  )
}
