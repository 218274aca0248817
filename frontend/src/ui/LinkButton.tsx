import { Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

type Props = Omit<ButtonProps, 'component'> & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps> & { ref?: Ref<HTMLAnchorElement> }

function Anchor(props: Props) {
  return <Button component="a" {...props} />
}

/** A link that looks like a button: opens in another tab like any link. */
export const LinkButton = createLink(Anchor)
