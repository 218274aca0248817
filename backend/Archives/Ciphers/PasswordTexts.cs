using System.Collections.Immutable;

namespace NzbDav.Archives.Ciphers;

/// <summary>Texts for archives that no password opened.</summary>
internal static class PasswordTexts
{
    /// <param name="what">What is encrypted, for instance "RAR headers encrypted".</param>
    /// <param name="passwords">The passwords that were tried.</param>
    public static string Locked(string what, ImmutableArray<string> passwords)
    {
        var count = passwords.Count(password => password.Length > 0);
        return count switch
        {
            0 => $"{what}, and there is no password.",
            1 => $"{what}, and the password is wrong.",
            _ => $"{what}, and none of the {count} passwords is right.",
        };
    }
}
