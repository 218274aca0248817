namespace NzbDav.Host.Settings;

/// <summary>
/// Finds secrets that a change of settings would send to another address: a provider's password, the key of an *arr or an indexer, the
/// secret of OpenID Connect, rclone's password and the headers of a collector are sent to the address in a neighbouring setting. Somebody
/// who may change the address but not read the secret could otherwise read it on a server of their own.
/// </summary>
internal static class SecretDestinations
{
    private static readonly string[] None = [];

    /// <summary>
    /// Each secret, the settings that form its address, the settings whose <c>true</c> protects it in transit, and the setting with the
    /// proxy, which can read it unless all of these are on. <c>#</c> is a number.
    /// </summary>
    private static readonly (string Secret, string[] Address, string[] Protection, string? Way)[] Bound =
    [
        ("Usenet:Providers:#:Password", ["Host", "Port"], ["UseTls", "VerifyCertificate"], "Proxy"),
        ("Arrs:#:ApiKey", ["Url"], None, null),
        ("Search:Indexers:#:ApiKey", ["Url"], None, null),
        ("Access:Oidc:ClientSecret", ["Authority"], None, null),
        ("Rclone:Password", ["Url"], None, null),
        ("Otlp:Headers", ["Endpoint"], None, null),
    ];

    /// <summary>Compares the settings before and after a change.</summary>
    /// <param name="before">Every setting before the change.</param>
    /// <param name="after">Every setting after the change.</param>
    /// <param name="isGiven">Whether the change contains a setting, with or without a value.</param>
    /// <returns>
    /// A fault for each secret that would be kept and sent to another host, port or address, or sent there without TLS, without a check of
    /// the certificate, or through another proxy that can read it.
    /// </returns>
    public static IReadOnlyList<SettingFault> FindMoved(
        IReadOnlyList<SettingEntry> before, IReadOnlyList<SettingEntry> after, Func<string, bool> isGiven)
    {
        var (was, becomes) = (ByPath(before), ByPath(after));
        var faults = new List<SettingFault>();
        foreach (var secret in after.Where(entry => entry is { Kind: SettingKind.Secret, Value: not null }
            && was.GetValueOrDefault(entry.Path)?.Value is not null && !isGiven(entry.Path)))
        {
            var bound = Array.Find(Bound, bound => Fits(bound.Secret, secret.Path));
            if (bound.Secret is null)
                continue;
            var owner = secret.Path[..(secret.Path.LastIndexOf(':') + 1)];
            var (old, next) = (AddressOf(was, owner, bound.Address), AddressOf(becomes, owner, bound.Address));

            // Without an address it is not sent. An address set later differs from the empty one, so that change is caught.
            if (next.Length == 0)
                continue;
            var unprotected = Array.Find(bound.Protection, name => IsOn(was, owner + name) && !IsOn(becomes, owner + name));
            if (!string.Equals(old, next, StringComparison.OrdinalIgnoreCase))
                faults.Add(
                    new SettingFault(
                    secret.Path,
                    $"it was given for {(old.Length == 0 ? "no address" : old)} and would be sent to {next}: enter it again, or confirm " +
                    $"the change with your own password (\"confirm\")."));
            else if (bound.Way is { } way && Array.Exists(bound.Protection, name => !IsOn(becomes, owner + name))
                && !string.IsNullOrEmpty(ValueOf(becomes, owner + way))
                    && !string.Equals(ValueOf(was, owner + way), ValueOf(becomes, owner + way), StringComparison.Ordinal))
                faults.Add(
                    new SettingFault(
                    secret.Path,
                    "it would be sent through another proxy, which could read it without TLS: enter it again, or confirm the change with " +
                    "your own password (\"confirm\")."));
            else if (unprotected is not null)
                faults.Add(
                    new SettingFault(
                    secret.Path,
                    $"it would be sent with {unprotected} off: enter it again, or confirm the change with your own password " +
                    $"(\"confirm\")."));
        }

        return faults;
    }

    private static Dictionary<string, SettingEntry> ByPath(IReadOnlyList<SettingEntry> entries) =>
        entries.ToDictionary(entry => entry.Path, StringComparer.OrdinalIgnoreCase);

    private static bool Fits(string pattern, string path)
    {
        var (parts, names) = (pattern.Split(':'), path.Split(':'));
        return parts.Length == names.Length
            && parts.Zip(names).All(pair => pair.First == "#" || pair.First.Equals(pair.Second, StringComparison.OrdinalIgnoreCase));
    }

    /// <summary>Empty if the first part is not set.</summary>
    private static string AddressOf(Dictionary<string, SettingEntry> entries, string owner, string[] names)
    {
        string?[] parts = [.. names.Select(name => ValueOf(entries, owner + name))];
        return string.IsNullOrEmpty(parts[0]) ? "" : string.Join(':', parts).TrimEnd('/');
    }

    private static bool IsOn(Dictionary<string, SettingEntry> entries, string path) =>
        bool.TryParse(ValueOf(entries, path), out var on) && on;

    private static string? ValueOf(Dictionary<string, SettingEntry> entries, string path) =>
        entries.GetValueOrDefault(path) is { } entry ? entry.Value ?? entry.Default : null;
}
