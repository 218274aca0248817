export const en = {
  title: 'Sign in',
  ended: 'Your session has ended',
  endedHint: 'Sign in to go on where you were. What you have typed is still there.',
  name: 'Name',
  password: 'Password',
  submit: 'Sign in',
  oidc: 'Sign in with single sign-on',
  or: 'or',
  wrong: 'The name or the password is wrong.',
  slow: (wait: string) => `Too many wrong attempts from this address. Try again in ${wait}.`,
  forgotten: 'Forgotten? An administrator can set a new password under Users.',
}
