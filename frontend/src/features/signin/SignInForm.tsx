import { Alert, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertOctagon } from '@tabler/icons-react'
import { useRef, useState, type SyntheticEvent } from 'react'
import { address, root } from '~/api/address'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { text } from './text'
import { useCountdown, useSignIn } from './useSignIn'

type Props = {
  /** Who was signed in before; the name stands there already. */
  name?: string | null
  /** Where one signs in with OpenID Connect; null: nowhere. */
  oidcPath: string | null
}

/** Name, password, and the way over OpenID Connect. */
export function SignInForm({ name = null, oidcPath }: Props) {
  const t = useText(text)
  const format = useFormat()
  const { signIn, busy, refusal } = useSignIn()
  const [username, setUsername] = useState(name ?? '')
  const [password, setPassword] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const wait = useCountdown(refusal?.kind === 'slow' ? refusal.until : null)
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    if (busy || wait > 0) return
    if (!(await signIn(username, password))) {
      setPassword('')
      field.current?.focus()
    }
  }
  const told = refusal === null || (refusal.kind === 'slow' && wait === 0) ? null
    : refusal.kind === 'wrong' ? t.wrong : refusal.kind === 'slow' ? t.slow(format.duration(wait)) : refusal.error.message
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <div role="alert">
          {told !== null && <Alert color="red" variant="light" icon={<IconAlertOctagon aria-hidden />}>{told}</Alert>}
        </div>
        <TextInput label={t.name} value={username} onChange={(event) => setUsername(event.currentTarget.value)} name="username" autoComplete="username" autoCapitalize="none" spellCheck={false} required withAsterisk={false} data-autofocus={name === null || undefined} />
        <PasswordInput ref={field} label={t.password} value={password} onChange={(event) => setPassword(event.currentTarget.value)} name="password" autoComplete="current-password" required withAsterisk={false} data-autofocus={name !== null || undefined} />
        <Button type="submit" loading={busy} disabled={wait > 0} fullWidth>{t.submit}</Button>
        {oidcPath !== null && <Divider label={t.or} />}
        {oidcPath !== null && (
          <Button component="a" variant="default" fullWidth href={`${address(oidcPath)}?return=${encodeURIComponent(location.href.slice(root.origin.length))}`}>{t.oidc}</Button>
        )}
        <Text size="sm" c="dimmed">{t.forgotten}</Text>
      </Stack>
    </form>
  )
}
