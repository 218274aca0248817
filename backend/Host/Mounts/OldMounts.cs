using NzbDav.Catalog;

namespace NzbDav.Host.Mounts;

/// <summary>Remembers where trees of other programs were mounted: what links that lead to names there begin with.</summary>
internal static class OldMounts
{
    private const string Key = "moved.mounts";

    /// <summary>What nzbdav has where nothing is set.</summary>
    private static readonly string[] Usual = ["/mnt/nzbdav"];

    /// <summary>Remembers one.</summary>
    public static async Task AddAsync(SettingStore settings, string? mount, CancellationToken cancellationToken)
    {
        if (mount is null || !mount.StartsWith('/'))
            return;
        var known = Split(await settings.GetAsync(Key, cancellationToken));
        if (!known.Contains(mount.TrimEnd('/'), StringComparer.Ordinal))
            await settings.SetAsync(Key, string.Join('\n', known.Append(mount.TrimEnd('/'))), cancellationToken);
    }

    /// <summary>All that are known, and others.</summary>
    public static async Task<IReadOnlySet<string>> ReadAsync(SettingStore settings, IEnumerable<string> others, CancellationToken cancellationToken) =>
        Split(await settings.GetAsync(Key, cancellationToken)).Concat(Usual).Concat(others.Select(mount => mount.TrimEnd('/'))).ToHashSet(StringComparer.Ordinal);

    private static string[] Split(string? text) => (text ?? "").Split('\n', StringSplitOptions.RemoveEmptyEntries);
}
