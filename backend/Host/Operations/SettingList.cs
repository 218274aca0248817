using NzbDav.Host.Logging;

namespace NzbDav.Host.Operations;

/// <summary>What is set and where, without secrets.</summary>
internal static class SettingList
{
    /// <summary>Of everything else under <c>NzbDav</c> the value is shown.</summary>
    private static readonly string[] Secret = ["password", "key", "headers", "token", "secret", "username"];

    /// <summary>All settings of the environment, and the names of those that are stored in the catalog.</summary>
    /// <param name="stored">Keys of stored settings; their values hold addresses of indexers and the like, so they are not shown.</param>
    /// <param name="secrets">What else must not be seen.</param>
    public static ShownSetting[] List(IEnumerable<string> stored, SecretFilter secrets)
    {
        var environment = new ConfigurationBuilder().AddEnvironmentVariables().Build().GetSection("NzbDav").AsEnumerable()
            .Where(setting => setting.Value is not null)
            .OrderBy(setting => setting.Key, StringComparer.OrdinalIgnoreCase)
            .Select(setting => new ShownSetting(setting.Key.Replace(":", "__", StringComparison.Ordinal), Show(setting.Key, setting.Value!, secrets), "environment"));
        return [.. environment, .. stored.Order(StringComparer.Ordinal).Select(key => new ShownSetting(key, "set", "stored"))];
    }

    private static string Show(string key, string value, SecretFilter secrets)
    {
        // Passwords:0 and the like are named by what stands before the number.
        var isSecret = key.Split(':').Skip(1).Any(part => Array.Exists(Secret, word => part.Contains(word, StringComparison.OrdinalIgnoreCase)));
        return isSecret ? "set" : secrets.Clean(value);
    }
}
