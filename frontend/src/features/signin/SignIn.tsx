/** To be built. */
export default function SignIn() {
  return null
}
