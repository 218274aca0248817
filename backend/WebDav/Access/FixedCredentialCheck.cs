using System.Security.Cryptography;
using System.Text;

namespace NzbDav.WebDav.Access;

/// <summary>One name and password known in clear, say from the environment.</summary>
public sealed class FixedCredentialCheck : ICredentialCheck
{
    private readonly byte[] _key = RandomNumberGenerator.GetBytes(32);
    private readonly byte[] _user;
    private readonly byte[] _password;

    public FixedCredentialCheck(string user, string password)
    {
        _user = Digest(user);
        _password = Digest(password);
    }

    /// <inheritdoc/>
    public ValueTask<bool> IsValidAsync(string user, string password, CancellationToken cancellationToken) =>
        ValueTask.FromResult(CryptographicOperations.FixedTimeEquals(Digest(user), _user)
            & CryptographicOperations.FixedTimeEquals(Digest(password), _password));

    // Digests have equal lengths, so the comparison does not reveal the length of the secret.
    private byte[] Digest(string text) => HMACSHA256.HashData(_key, Encoding.UTF8.GetBytes(text));
}
