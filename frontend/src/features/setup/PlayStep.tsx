import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { address } from '~/api/address'
import { useSession } from '~/api/session'
import { CopyButton } from '~/ui/CopyButton'
import { useText } from '~/ui/text/catalogue'
import { suggestPassword } from './suggestPassword'
import classes from './Setup.module.css'
import { text } from './text'
import { faultOf, otherFault, playQuery, progressQuery, useSaveSettings } from './useSetup'

/** Name and password for players, and what to paste into them. */
export function PlayStep({ next }: { next: () => void }) {
  const t = useText(text).play
  const all = useText(text)
  const play = useQuery(playQuery).data
  const isSet = useQuery(progressQuery).data?.webdav === true
  const name = useSession()?.username ?? ''
  const save = useSaveSettings()
  const form = useForm({ initialValues: { username: null as string | null, password: '' } })
  const known = play?.username ?? name
  const username = form.values.username ?? known
  const { password } = form.values
  const error = otherFault(save.error, ['Username', 'Password'])
  const isSaved = save.isSuccess && username === save.variables['WebDav:Username'] && password === (save.variables['WebDav:Password'] ?? '')
  const isDone = isSaved || (isSet && password === '' && username === known)
  const submit = () => {
    if (isDone) return next()
    save.mutate({ 'WebDav:Username': username, ...(password !== '' && { 'WebDav:Password': password }) })
  }
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack gap="sm">
        <Text>{t.lead}</Text>
        <TextInput label={t.username} value={username} onChange={(event) => form.setFieldValue('username', event.currentTarget.value)} autoComplete="off" autoCapitalize="none" spellCheck={false} required withAsterisk={false} error={faultOf(save.error, 'Username')} />
        <Group align="end" gap="xs" wrap="nowrap">
          <PasswordInput flex={1} label={t.password} description={isSet && !isSaved ? t.isSet : undefined} autoComplete="off" required={!isSet} withAsterisk={false} {...form.getInputProps('password')} error={faultOf(save.error, 'Password')} />
          <Button variant="default" onClick={() => form.setFieldValue('password', suggestPassword())}>{t.suggest}</Button>
        </Group>
        {password !== '' && (
          <Group gap="xs"><CopyButton value={password} /><Text size="sm" c="dimmed">{t.keep}</Text></Group>
        )}
        <div role="alert">{error !== null && <Alert color="red" variant="light">{error}</Alert>}</div>
        <div role="status">{isSaved && <Text className={classes.good}>{all.saved}</Text>}</div>
        {(isSaved || isSet) && play !== undefined && (
          <>
            <Snippet label={t.address} value={address('dav/')} />
            {play.mount === null
              ? <Snippet label={t.rclone} hint={t.rcloneHint} value={play.rclone.join('\n')} />
              : <Snippet label={t.folder} hint={play.mount.reason ?? t.folderHint} value={`${play.mount.path}/content`} />}
          </>
        )}
        <Text c="dimmed">{t.later}</Text>
      </Stack>
      <div className={classes.buttons}>
        <Button variant="subtle" onClick={next}>{all.skip}</Button>
        <Button type="submit" loading={save.isPending}>{isDone ? all.next : all.save}</Button>
      </div>
    </form>
  )
}

function Snippet({ label, hint, value }: { label: string; hint?: string; value: string }) {
  return (
    <div>
      <Group justify="space-between"><Text fw={600}>{label}</Text><CopyButton value={value} /></Group>
      {hint !== undefined && <Text size="sm" c="dimmed">{hint}</Text>}
      <pre className={`${classes.code} mono`}>{value}</pre>
    </div>
  )
}
