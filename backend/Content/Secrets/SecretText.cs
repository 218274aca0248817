using System.Security.Cryptography;
using System.Text;

namespace NzbDav.Content.Secrets;

/// <summary>Compares secrets that are known in clear text: keys, tokens, and passwords from the environment.</summary>
public static class SecretText
{
    /// <summary>True if the secret was sent. A wrong secret takes as long as a right one, whatever their lengths.</summary>
    /// <param name="secret">The secret; null: there is none, and nothing matches.</param>
    /// <param name="sent">The text sent; null: none, which never matches.</param>
    public static bool Matches(string? secret, string? sent) =>
        secret is not null && sent is not null && CryptographicOperations.FixedTimeEquals(Digest(secret), Digest(sent));

    // Digests have equal lengths, so the comparison does not reveal the length of the secret.
    private static byte[] Digest(string text) => SHA256.HashData(Encoding.UTF8.GetBytes(text));
}
