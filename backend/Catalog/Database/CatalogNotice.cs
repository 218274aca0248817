using System.Text;

namespace NzbDav.Catalog.Database;

/// <summary>One change made by a transaction, for the other processes that have the same catalog open.</summary>
/// <param name="Kind">What changed.</param>
/// <param name="Text">Which one, in the format given by <see cref="NoticeKind"/>; one line.</param>
internal readonly record struct CatalogNotice(NoticeKind Kind, string Text)
{
    /// <summary>Most payloads per commit. A larger change makes the other processes reload everything.</summary>
    private const int MostPayloads = 8;

    /// <summary>The payload for too many notices.</summary>
    private const string TooMany = "*";

    /// <summary>Formats notices as payloads: the sender in the first line, then one line per distinct notice.</summary>
    /// <param name="sender">The sending process.</param>
    /// <param name="notices">Any number.</param>
    /// <param name="size">Most bytes in one payload.</param>
    public static IReadOnlyList<string> Pack(string sender, IEnumerable<CatalogNotice> notices, int size)
    {
        var payloads = new List<string>();
        var text = new StringBuilder(sender);
        var bytes = sender.Length;
        foreach (var (kind, what) in notices.Distinct())
        {
            var line = $"\n{(int)kind} {what}";
            var length = Encoding.UTF8.GetByteCount(line);
            if (bytes + length > size && bytes > sender.Length)
            {
                payloads.Add(text.ToString());
                text.Clear().Append(sender);
                bytes = sender.Length;
            }

            if (bytes + length > size || payloads.Count == MostPayloads)
                return [$"{sender}\n{TooMany}"];
            text.Append(line);
            bytes += length;
        }

        if (bytes > sender.Length)
            payloads.Add(text.ToString());
        return payloads;
    }

    /// <summary>Parses a payload written by <see cref="Pack"/>.</summary>
    /// <param name="sender">The receiving process: its own payloads are skipped.</param>
    /// <param name="payload">The text.</param>
    /// <returns>The notices; null if they were too many, or the payload is not in our format.</returns>
    public static IReadOnlyList<CatalogNotice>? Unpack(string sender, string payload)
    {
        var lines = payload.Split('\n');
        if (lines[0] == sender)
            return [];
        var notices = new List<CatalogNotice>();
        foreach (var line in lines.Skip(1))
        {
            var gap = line.IndexOf(' ', StringComparison.Ordinal);
            if (gap < 0 || !int.TryParse(line.AsSpan(0, gap), out var kind))
                return null;
            notices.Add(new CatalogNotice((NoticeKind)kind, line[(gap + 1)..]));
        }

        return notices;
    }
}

/// <summary>What a <see cref="CatalogNotice"/> is about.</summary>
internal enum NoticeKind
{
    /// <summary>A scope of cached data has a new version: its name, '=', the version.</summary>
    Scope,

    /// <summary>A collection's children were added, removed or renamed: its id.</summary>
    Children,

    /// <summary>A job was added, changed or deleted: its id, ':', its state, which is empty for a deleted one.</summary>
    Job,

    /// <summary>A job moved in the queue: its id.</summary>
    Order,

    /// <summary>A torrent changed: its info-hash.</summary>
    Torrent,

    /// <summary>Categories or tags of torrents changed; no text.</summary>
    Labels,

    /// <summary>The health of posts changed; no text.</summary>
    Health,

    /// <summary>Files were hidden or shown again; no text.</summary>
    Hidden,

    /// <summary>A session was ended: its id.</summary>
    Session,

    /// <summary>Keys were added or replaced; no text.</summary>
    Keys,

    /// <summary>WebDAV locks changed; no text.</summary>
    Lock,

    /// <summary>A gateway lacks connections that others must give up; no text.</summary>
    Leases,

    /// <summary>Items of the tree were removed; no text.</summary>
    Removed,

    /// <summary>An *arr gave up on a job; no text.</summary>
    Abandoned,
}
