using System.Diagnostics.CodeAnalysis;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Pieces;

/// <summary>
/// What lies on disk of torrents that are not open. It counts like the rest, and it goes first: the torrent used longest ago, as a whole. Used under the
/// <see cref="PieceStore"/>'s lock, but for <see cref="Scan"/>.
/// </summary>
internal sealed class RestingPieces(string folder, TimeProvider time)
{
    /// <summary>Data that nobody claims any more, on its way out: renamed under the lock, removed outside.</summary>
    public const string Gone = ".gone";

    private const string Data = ".data";
    private const string Resume = ".resume";

    private readonly Dictionary<InfoHash, Kept> _torrents = [];

    /// <summary>All of them.</summary>
    public IEnumerable<InfoHash> Hashes => _torrents.Keys;

    /// <summary>Finds what an earlier run left; removes what is claimed by nobody. Returns the bytes that count.</summary>
    public long Scan()
    {
        if (!Directory.Exists(folder))
            return 0;
        foreach (var file in new DirectoryInfo(folder).EnumerateFiles().Where(static file => file.Extension is Data or Gone).ToArray())
        {
            var hash = default(InfoHash);
            var isOurs = file.Extension == Gone || InfoHash.TryParse(Path.GetFileNameWithoutExtension(file.Name), out hash);
            if (!isOurs)
                continue;
            if (file.Extension == Data && ResumeFile.Size(PathOf(hash) + Resume, hash) is { } bytes)
                _torrents[hash] = new Kept(Math.Min(bytes, file.Length), File.GetLastWriteTimeUtc(PathOf(hash) + Resume));
            else
                TryDelete(file.FullName);
        }

        return _torrents.Values.Sum(static kept => kept.Bytes);
    }

    /// <summary>A torrent was closed with so many bytes on disk.</summary>
    public void Add(InfoHash hash, long bytes) => _torrents[hash] = new Kept(bytes, time.GetUtcNow().UtcDateTime);

    /// <summary>A torrent is opened or removed: its bytes, which no longer count here; null if it does not rest.</summary>
    public long? Take(InfoHash hash) => _torrents.Remove(hash, out var kept) ? kept.Bytes : null;

    /// <summary>Whose turn it is to go.</summary>
    public bool TryFindOldest([MaybeNullWhen(false)] out InfoHash hash)
    {
        hash = _torrents.Count == 0 ? default : _torrents.MinBy(static torrent => torrent.Value.Since).Key;
        return _torrents.Count > 0;
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

    private readonly record struct Kept(long Bytes, DateTime Since);
}
