import { Modal, Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '~/api/session'
import type { Session } from '~/api/types'
import { useText } from '~/ui/text/catalogue'
import { SignInForm } from './SignInForm'
import classes from './SignIn.module.css'
import { text } from './text'

/** Sign-in: a page of its own, or over the page whose session has ended, which stays as it is below. */
export default function SignIn({ over }: { over?: Session }) {
  const t = useText(text)
  const oidcPath = useQuery(sessionQuery).data?.oidcPath ?? null
  useEffect(() => {
    if (over === undefined) document.title = `${t.title} - NzbDav`
  }, [over, t])
  if (over !== undefined) {
    return (
      <Modal opened onClose={() => undefined} withCloseButton={false} closeOnEscape={false} closeOnClickOutside={false} centered title={t.ended} zIndex={1000}>
        <Text mb="md">{t.endedHint}</Text>
        <SignInForm name={over.username} oidcPath={oidcPath} />
      </Modal>
    )
  }
  return (
    <main className={classes.page}>
      <div className={`${classes.card} surface`}>
        <Title order={1} mb="md">{t.title}</Title>
        <SignInForm oidcPath={oidcPath} />
      </div>
    </main>
  )
}
