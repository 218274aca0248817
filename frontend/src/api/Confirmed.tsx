import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { PasswordAgain } from '~/ui/PasswordAgain'
import { api, take } from './client'
import { useSession } from './session'

type Props = { title: string; action: string; onConfirmed: (confirmation: string) => void; onClose: () => void }

/** Asks for the password before something that opens everything; the confirmation goes with the call. The demo without users has no password to ask for. */
export function Confirmed({ title, action, onConfirmed, onClose }: Props) {
  const session = useSession()
  const free = session?.demo === true && session.via === 'network'
  const told = useRef(false)
  const confirm = useMutation({
    mutationFn: async (body: { password: string; username: string | null }) => (await take(api.POST('/api/v1/session/confirmation', { body }))).confirmation,
  })
  useEffect(() => {
    if (!free || told.current) return
    told.current = true
    onConfirmed('')
  }, [free, onConfirmed])
  if (free) return null
  return (
    <PasswordAgain opened title={title} action={action} busy={confirm.isPending} error={confirm.error} askName={session?.via !== 'password'} onClose={onClose}
      onSubmit={(credentials) => confirm.mutate(credentials, { onSuccess: onConfirmed })} />
  )
}
