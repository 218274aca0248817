using System.Text.Json;
using NzbDav.Api.QBittorrent.Listing;
using NzbDav.Api.QBittorrent.Routing;

namespace NzbDav.Api.QBittorrent.Syncing;

/// <summary>
/// Writes the parts of <see cref="SyncData"/> that differ from what a client has; a part without differences is left out.
/// </summary>
internal static class SyncWriter
{
    public static QbitReply Write(SyncData? before, SyncData after, int rid)
    {
        var known = before ?? SyncData.Empty;
        return QbitReply.Json(writer =>
        {
            writer.WriteStartObject();
            writer.WriteNumber("rid", rid);
            if (before is null)
                writer.WriteBoolean("full_update", true);
            WriteObjects(writer, "torrents", known.Torrents, after.Torrents, isFull: before is null, WriteTorrent);
            WriteObjects(writer, "categories", known.Categories, after.Categories, isFull: before is null, WriteCategory);
            WriteTexts(writer, "tags", after.Tags.Except(known.Tags, StringComparer.Ordinal), isFull: before is null);
            WriteTexts(writer, "tags_removed", known.Tags.Except(after.Tags, StringComparer.Ordinal), isFull: false);
            WriteTrackers(writer, known.Trackers, after.Trackers, isFull: before is null);
            WriteState(writer, known.State, after.State);
            writer.WriteEndObject();
        });
    }

    private static void WriteTorrent(Utf8JsonWriter writer, string hash, object?[]? before, object?[] after)
    {
        if (before is null)
            TorrentColumns.Write(writer, after, withHash: false);
        else
            TorrentColumns.WriteChanges(writer, before, after);
    }

    private static void WriteCategory(Utf8JsonWriter writer, string name, string? before, string savePath)
    {
        writer.WriteString("name", name);
        writer.WriteString("savePath", savePath);
    }

    private static void WriteObjects<T>(
        Utf8JsonWriter writer, string name, IReadOnlyDictionary<string, T> before, IReadOnlyDictionary<string, T> after, bool isFull,
        Action<Utf8JsonWriter, string, T?, T> write)
        where T : class
    {
        var changed = after.Where(pair => !before.TryGetValue(pair.Key, out var known) || !IsSame(known, pair.Value)).ToList();
        if (changed.Count > 0 || isFull)
        {
            writer.WriteStartObject(name);
            foreach (var (key, value) in changed)
            {
                writer.WriteStartObject(key);
                write(writer, key, before.GetValueOrDefault(key), value);
                writer.WriteEndObject();
            }

            writer.WriteEndObject();
        }

        WriteTexts(writer, name + "_removed", before.Keys.Where(key => !after.ContainsKey(key)), isFull: false);
    }

    private static bool IsSame(object before, object after) =>
        before is object?[] left && after is object?[] right ? left.SequenceEqual(right) : before.Equals(after);

    private static void WriteTrackers(Utf8JsonWriter writer, IReadOnlyDictionary<string, IReadOnlyList<string>> before,
        IReadOnlyDictionary<string, IReadOnlyList<string>> after, bool isFull)
    {
        var changed = after.Where(
            pair => !before.TryGetValue(pair.Key, out var known) || !known.SequenceEqual(pair.Value, StringComparer.Ordinal)).ToList();
        if (changed.Count > 0 || isFull)
        {
            writer.WriteStartObject("trackers");
            foreach (var (url, hashes) in changed)
                JsonValues.Write(writer, url, hashes);
            writer.WriteEndObject();
        }

        WriteTexts(writer, "trackers_removed", before.Keys.Where(url => !after.ContainsKey(url)), isFull: false);
    }

    private static void WriteState(
        Utf8JsonWriter writer, IReadOnlyDictionary<string, object?> before, IReadOnlyDictionary<string, object?> after)
    {
        var changed = after.Where(pair => !before.TryGetValue(pair.Key, out var known) || !Equals(known, pair.Value)).ToList();
        if (changed.Count == 0)
            return;
        writer.WriteStartObject("server_state");
        foreach (var (name, value) in changed)
            JsonValues.Write(writer, name, value);
        writer.WriteEndObject();
    }

    private static void WriteTexts(Utf8JsonWriter writer, string name, IEnumerable<string> texts, bool isFull)
    {
        var all = texts.ToList();
        if (all.Count > 0 || isFull)
            JsonValues.Write(writer, name, all);
    }
}

/// <summary>All data of <c>sync/maindata</c> at one moment. Immutable.</summary>
/// <param name="Torrents">The values of each torrent, by hash.</param>
/// <param name="Categories">Save paths by name.</param>
/// <param name="Tags">All tags.</param>
/// <param name="Trackers">The hashes of the torrents of each tracker.</param>
/// <param name="State">See <see cref="ServerState"/>.</param>
internal sealed record SyncData(
    IReadOnlyDictionary<string, object?[]> Torrents,
    IReadOnlyDictionary<string, string> Categories,
    IReadOnlyList<string> Tags,
    IReadOnlyDictionary<string, IReadOnlyList<string>> Trackers,
    IReadOnlyDictionary<string, object?> State)
{
    /// <summary>No data: the state of a new client.</summary>
    public static SyncData Empty { get; } = new(
        new Dictionary<string, object?[]>(StringComparer.Ordinal),
        new Dictionary<string, string>(StringComparer.Ordinal),
        [],
        new Dictionary<string, IReadOnlyList<string>>(StringComparer.Ordinal),
        new Dictionary<string, object?>(StringComparer.Ordinal));
}
