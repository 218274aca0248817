import { Button, NativeSelect, NumberInput, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { setPolicy, torrentDetails } from '~/api/torrents'
import type { TorrentPolicy } from '~/api/types'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './pane.module.css'
import { fieldsOf, hasFault, policyOf, type PolicyFields } from './policy'
import { isWrong, type Typed } from './typed'

/** Where a torrent is kept and seeded otherwise than its category. */
export function PolicyForm({ hash, own }: { hash: string; own: TorrentPolicy }) {
  const t = useText(text)
  const client = useQueryClient()
  const hint = useId()
  const [fields, setFields] = useState(() => fieldsOf(own))
  // "-" is on the way to "-1": it is wrong only once it is to be saved.
  const [tried, setTried] = useState(false)
  const set = (change: Partial<PolicyFields>) => setFields((before) => ({ ...before, ...change }))
  const call = useMutation({
    mutationFn: async () => setPolicy(hash, policyOf(fields)),
    onSuccess: () => {
      notifications.show({ message: t.policySaved, autoClose: 4000 })
      void client.invalidateQueries(torrentDetails(hash))
    },
  })
  const submit = () => {
    setTried(hasFault(fields))
    if (!hasFault(fields)) call.mutate()
  }
  const choice = <T extends string>(names: Record<T, string>) => [{ value: '', label: t.asCategory }, ...(Object.entries<string>(names)).map(([value, label]) => ({ value, label }))]
  const number = (name: 'ratio' | 'seedMinutes' | 'idleMinutes') => ({
    value: fields[name], min: -1, placeholder: t.asCategory, 'aria-describedby': hint, onChange: (value: Typed) => set({ [name]: value }),
    error: tried && isWrong(fields[name]) && t.noNumber, errorProps: { role: 'alert' },
  })
  return (
    <form className={classes.form} onSubmit={(event) => { event.preventDefault(); submit() }}>
      <NativeSelect label={t.keep} value={fields.keep} onChange={(event) => set({ keep: event.currentTarget.value as PolicyFields['keep'] })} data={choice(t.keeps)} />
      <NativeSelect label={t.atLimit} value={fields.atLimit} onChange={(event) => set({ atLimit: event.currentTarget.value as PolicyFields['atLimit'] })} data={choice(t.atLimits)} />
      <NumberInput label={t.ratioLimit} max={10_000} decimalScale={2} {...number('ratio')} />
      <NumberInput label={t.minutesLimit} max={5_256_000} allowDecimal={false} {...number('seedMinutes')} />
      <NumberInput label={t.idleLimit} max={5_256_000} allowDecimal={false} {...number('idleMinutes')} />
      <Button type="submit" variant="default" loading={call.isPending}>{t.savePolicy}</Button>
      <Text id={hint} className={classes.wide} size="sm" c="dimmed">{t.limitHint}</Text>
      {call.error !== null && <div className={classes.wide}><ErrorNote error={call.error} /></div>}
    </form>
  )
}
