using NzbDav.Catalog.Settings;

namespace NzbDav.Host.Arrs;

/// <summary>Remembers where the trees of other programs were mounted: the prefixes of links that point to names there.</summary>
internal static class OldMounts
{
    private const string Key = "moved.mounts";

    /// <summary>nzbdav's default.</summary>
    private static readonly string[] Usual = ["/mnt/nzbdav"];

    /// <summary>Remembers a mount.</summary>
    public static async Task AddAsync(SettingStore settings, string? mount, CancellationToken cancellationToken)
    {
        if (mount is null || !mount.StartsWith('/'))
            return;
        var known = Split(await settings.GetAsync(Key, cancellationToken));
        if (!known.Contains(mount.TrimEnd('/'), StringComparer.Ordinal))
            await settings.SetAsync(Key, string.Join('\n', known.Append(mount.TrimEnd('/'))), cancellationToken);
    }

    /// <summary>All known mounts, and the given others.</summary>
    public static async Task<IReadOnlySet<string>> ReadAsync(
        SettingStore settings, IEnumerable<string> others, CancellationToken cancellationToken) =>
        Split(await settings.GetAsync(Key, cancellationToken)).Concat(Usual).Concat(others.Select(mount => mount.TrimEnd('/')))
            .ToHashSet(StringComparer.Ordinal);

    private static string[] Split(string? text) => (text ?? "").Split('\n', StringSplitOptions.RemoveEmptyEntries);
}
