using System.Security.Cryptography;
using System.Text;

namespace NzbDav.Content.Secrets;

/// <summary>Compares secrets that are known in clear: keys, tokens, and passwords of the environment.</summary>
public static class SecretText
{
    /// <summary>True if the secret is what was sent. Takes as long for a wrong one as for a right one, whatever their lengths.</summary>
    /// <param name="secret">The secret; null: there is none, and nothing is right.</param>
    /// <param name="sent">As it was sent; null: nothing was.</param>
    public static bool Matches(string? secret, string? sent) =>
        secret is not null && sent is not null && CryptographicOperations.FixedTimeEquals(Digest(secret), Digest(sent));

    // Digests have equal lengths, so the comparison does not reveal the length of the secret.
    private static byte[] Digest(string text) => SHA256.HashData(Encoding.UTF8.GetBytes(text));
}
