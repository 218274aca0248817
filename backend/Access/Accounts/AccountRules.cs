namespace NzbDav.Access.Accounts;

/// <summary>The rules for user names and passwords.</summary>
public static class AccountRules
{
    /// <summary>Longest user name, in characters.</summary>
    public const int LongestName = 64;

    /// <summary>Shortest password, in characters.</summary>
    public const int ShortestPassword = 10;

    /// <summary>Longest password, in characters. The hashing time depends on the length.</summary>
    public const int LongestPassword = 256;

    /// <summary>The placeholder in the example Compose file: it counts as no password.</summary>
    public const string OfExample = "change this";

    /// <summary>What is wrong with a name; null if nothing is.</summary>
    public static string? NameFault(string? name) => name switch
    {
        null or "" => "A name is needed.",
        { Length: > LongestName } => $"A name has at most {LongestName} characters.",
        _ when name.Any(char.IsControl) || name.Trim() != name || name.Contains('/', StringComparison.Ordinal) =>
            "A name has neither control characters nor slashes, and does not begin or end with a blank.",
        _ => null,
    };

    /// <summary>What is wrong with a password; null if nothing is.</summary>
    public static string? PasswordFault(string? name, string? password) => password switch
    {
        null or "" => "A password is needed.",
        { Length: < ShortestPassword } => $"A password has at least {ShortestPassword} characters.",
        { Length: > LongestPassword } => $"A password has at most {LongestPassword} characters.",
        _ when string.Equals(password, OfExample, StringComparison.OrdinalIgnoreCase) =>
            "The password is the one of the example: choose your own.",
        _ when string.Equals(name, password, StringComparison.OrdinalIgnoreCase) => "The password must not be the name.",
        _ => null,
    };
}
