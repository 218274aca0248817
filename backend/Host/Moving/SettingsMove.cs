using System.Globalization;
using NzbDav.Host.Settings;
using NzbDav.Import.Names;
using NzbDav.Migration.Titles;

namespace NzbDav.Host.Moving;

/// <summary>Finds settings of another program that have a counterpart here that is not set.</summary>
internal static class SettingsMove
{
    /// <summary>The changes, each with its description for people. Settings that are set already are not changed.</summary>
    /// <param name="old">Settings of the other program.</param>
    /// <param name="current">Settings of this server.</param>
    /// <param name="entries">Settings of this server, with their sources.</param>
    /// <param name="left">Receives descriptions of the settings that are not taken over.</param>
    public static List<(string Told, Dictionary<string, string?> Changes)> Plan(
        OldSettings old, NzbDavSettings current, IReadOnlyList<SettingEntry> entries, List<string> left)
    {
        var changes = new List<(string, Dictionary<string, string?>)>();
        left.AddRange(old.NotMigrated);
        if (current.Providers.Count > 0 && old.Providers.Count > 0)
            left.Add("The Usenet accounts: some are configured here already.");
        else
            changes.AddRange(old.Providers.Select(Provider));
        if (current.Arrs.Count > 0 && old.Arrs.Count > 0)
            left.Add("The *arrs: some are configured here already.");
        else
            changes.AddRange(old.Arrs.Select(Arr));
        string[] categories = [.. old.Categories.Where(name => SafeName.Of(name) == name && !name.Contains(',', StringComparison.Ordinal))
            .Append(current.Import.DefaultCategory).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal)];
        if (old.Categories.Count > 0 && IsSet(entries, "Import:Categories"))
            left.Add("The categories: they are set here already.");
        else if (old.Categories.Count > 0)
            changes.Add(($"Categories: {string.Join(", ", categories)}", Changes(("Import:Categories", string.Join(',', categories)))));
        if (old.MountPath is { } mount && mount.StartsWith('/') && !IsSet(entries, "WebDav:MountPath"))
            changes.Add(($"Mount path: {mount}. Mount this server there, and links to it work as before.",
                Changes(("WebDav:MountPath", mount.TrimEnd('/')))));
        return changes;
    }

    private static bool IsSet(IReadOnlyList<SettingEntry> entries, string path) =>
        entries.Any(entry => entry.Path.Equals(path, StringComparison.OrdinalIgnoreCase) && entry.IsSet);

    private static (string, Dictionary<string, string?>) Provider(OldProvider provider, int index)
    {
        var changes = Changes(
            ($"Usenet:Providers:{index}:Host", provider.Host),
            ($"Usenet:Providers:{index}:Port", Text(provider.Port)),
            ($"Usenet:Providers:{index}:UseTls", Text(provider.UseTls)),
            ($"Usenet:Providers:{index}:MaxConnections", Text(Math.Clamp(provider.Connections, 1, 500))),
            ($"Usenet:Providers:{index}:Priority", Text(provider.Priority)));
        if (provider.Name.Length > 0)
            changes[$"Usenet:Providers:{index}:Name"] = provider.Name;
        if (!provider.VerifyCertificate)
            changes[$"Usenet:Providers:{index}:VerifyCertificate"] = "false";
        if (provider.BackupOnly)
            changes[$"Usenet:Providers:{index}:BackupOnly"] = "true";
        if (provider.User.Length > 0)
            changes[$"Usenet:Providers:{index}:Username"] = provider.User;
        if (provider.Password.Length > 0)
            changes[$"Usenet:Providers:{index}:Password"] = provider.Password;
        return ($"Usenet account {provider.Host}:{Text(provider.Port)}, {Text(provider.Connections)} connections", changes);
    }

    private static (string, Dictionary<string, string?>) Arr(OldArr arr, int index)
    {
        var changes = Changes(
            ($"Arrs:{index}:Application", arr.Application), ($"Arrs:{index}:Url", arr.Url), ($"Arrs:{index}:ApiKey", arr.ApiKey));
        if (arr.Name.Length > 0)
            changes[$"Arrs:{index}:Name"] = arr.Name;
        if (arr.Category is { Length: > 0 } category && SafeName.Of(category) == category)
            changes[$"Arrs:{index}:Category"] = category;
        return ($"{arr.Application} at {(Uri.TryCreate(arr.Url, UriKind.Absolute, out var url) ? url.Authority : arr.Url)}", changes);
    }

    private static Dictionary<string, string?> Changes(params ReadOnlySpan<(string Path, string Value)> changes)
    {
        var all = new Dictionary<string, string?>(StringComparer.OrdinalIgnoreCase);
        foreach (var (path, value) in changes)
            all[path] = value;
        return all;
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static string Text(bool flag) => flag ? "true" : "false";
}
