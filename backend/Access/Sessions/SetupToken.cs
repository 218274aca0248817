using System.Security.Cryptography;
using NzbDav.Content.Secrets;

namespace NzbDav.Access.Sessions;

/// <summary>
/// The token in the log that allows creating the first user, once. New at each start. Thread-safe.
/// </summary>
public sealed class SetupToken
{
    /// <summary>32 hexadecimal digits.</summary>
    public string Value { get; } = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(16));

    /// <summary>True if it is the token. Takes as long for a wrong one.</summary>
    public bool Matches(string? token) => SecretText.Matches(Value, token);
}
