using NzbDav.Host.Logging;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Operations;

/// <summary>Lists the settings with their sources, without secrets.</summary>
internal static class SettingList
{
    /// <summary>Words in the names of secret settings. The values of all other settings under <c>NzbDav</c> are shown.</summary>
    private static readonly string[] Secret = ["password", "key", "headers", "token", "secret", "username"];

    /// <summary>All settings of the environment, and the names of those that are stored in the catalog.</summary>
    /// <param name="stored">Keys of stored settings; their values hold addresses of indexers and the like, so they are not shown.</param>
    /// <param name="secrets">Removes further secrets.</param>
    public static ShownSetting[] List(IEnumerable<string> stored, SecretFilter secrets)
    {
        var environment = SettingSources.ProcessEnvironment.GetSection("NzbDav").AsEnumerable()
            .Where(setting => setting.Value is not null)
            .OrderBy(setting => setting.Key, StringComparer.OrdinalIgnoreCase)
            .Select(setting => new ShownSetting(
                setting.Key.Replace(":", "__", StringComparison.Ordinal), Show(setting.Key, setting.Value!, secrets), "environment"));
        return [.. environment, .. stored.Order(StringComparer.Ordinal).Select(key => new ShownSetting(key, "set", "stored"))];
    }

    private static string Show(string key, string value, SecretFilter secrets)
    {
        if (key.EndsWith(':' + SettingSources.CatalogConnection, StringComparison.OrdinalIgnoreCase))
            return SettingSecrets.WithoutSecrets(value) is { } shown ? secrets.Clean(shown) : "set";

        // A numbered secret, such as Passwords:0, is recognised by the part before the number.
        var isSecret = key.Split(':').Skip(1)
            .Any(part => Array.Exists(Secret, word => part.Contains(word, StringComparison.OrdinalIgnoreCase)));
        return isSecret ? "set" : secrets.Clean(value);
    }
}

/// <summary>A setting in the support bundle.</summary>
/// <param name="Name">Its name as a variable: <c>NzbDav__WebDav__Username</c>.</param>
/// <param name="Value">Its value; <c>set</c> for a secret.</param>
/// <param name="Source">Where it comes from: <c>environment</c> or <c>stored</c>.</param>
internal sealed record ShownSetting(string Name, string Value, string Source);
