using System.Diagnostics.CodeAnalysis;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// What lies on disk of torrents that are not open. It counts like the rest, and it goes first: the torrent used longest ago, as a whole. Used under the
/// <see cref="PieceStore"/>'s lock, but for <see cref="Scan"/>.
/// </summary>
internal sealed class RestingPieces(string folder)
{
    /// <summary>Data that nobody claims any more, on its way out: renamed under the lock, removed outside.</summary>
    public const string Gone = ".gone";

    private const string Data = ".data";
    private const string Resume = ".resume";

    private readonly Dictionary<InfoHash, LinkedListNode<Kept>> _torrents = [];
    private readonly LinkedList<Kept> _byAge = [];

    /// <summary>All of them.</summary>
    public IEnumerable<InfoHash> Hashes => _torrents.Keys;

    /// <summary>Finds what an earlier run left; removes what is claimed by nobody. Returns the bytes that count.</summary>
    public long Scan()
    {
        if (!Directory.Exists(folder))
            return 0;
        var found = new List<(DateTime Since, Kept Kept)>();
        foreach (var file in new DirectoryInfo(folder).EnumerateFiles().Where(static file => file.Extension is Data or Gone).ToArray())
        {
            var hash = default(InfoHash);
            var isOurs = file.Extension == Gone || InfoHash.TryParse(Path.GetFileNameWithoutExtension(file.Name), out hash);
            if (!isOurs)
                continue;
            if (file.Extension == Data && ResumeFile.Size(PathOf(hash) + Resume, hash) is { } bytes)
                found.Add((File.GetLastWriteTimeUtc(PathOf(hash) + Resume), new Kept(hash, Math.Min(bytes, file.Length))));
            else
                TryDelete(file.FullName);
        }

        foreach (var (_, kept) in found.OrderBy(static torrent => torrent.Since))
            Add(kept.Hash, kept.Bytes);
        return found.Sum(static torrent => torrent.Kept.Bytes);
    }

    /// <summary>A torrent was closed with so many bytes on disk.</summary>
    public void Add(InfoHash hash, long bytes)
    {
        Take(hash);
        _torrents[hash] = _byAge.AddLast(new Kept(hash, bytes));
    }

    /// <summary>A torrent is opened or removed: its bytes, which no longer count here; null if it does not rest.</summary>
    public long? Take(InfoHash hash)
    {
        if (!_torrents.Remove(hash, out var node))
            return null;
        _byAge.Remove(node);
        return node.Value.Bytes;
    }

    /// <summary>Whose turn it is to go.</summary>
    public bool TryFindOldest([MaybeNullWhen(false)] out InfoHash hash)
    {
        hash = _byAge.First?.Value.Hash ?? default;
        return _byAge.Count > 0;
    }

    /// <summary>Withdraws a torrent's claims and puts its data aside; returns the file to be removed.</summary>
    public string Forget(InfoHash hash)
    {
        var path = PathOf(hash);
        TryDelete(path + Resume);
        var gone = path + Gone;
        try
        {
            File.Move(path + Data, gone, overwrite: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // Nothing claims it; the next start removes it.
        }

        return gone;
    }

    /// <summary>Removes a file if that is possible.</summary>
    public static void TryDelete(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The next start tries again.
        }
    }

    private string PathOf(InfoHash hash) => Path.Combine(folder, hash.ToString());

    private readonly record struct Kept(InfoHash Hash, long Bytes);
}
