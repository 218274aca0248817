using System.Diagnostics.CodeAnalysis;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// Data on disk of torrents that are not open (resting). It counts towards the limit and is evicted first: the torrent unused for longest,
/// as a whole. Used under the <see cref="PieceStore"/>'s lock, except for <see cref="Scan"/>.
/// </summary>
/// <param name="folder">The cache folder.</param>
/// <param name="hasHoles">False: the data is in <see cref="Pieces"/>, not in <see cref="Data"/>. Data in the other form is removed.</param>
internal sealed class RestingPieces(string folder, bool hasHoles)
{
    /// <summary>Ending of data without resume data: renamed under the lock, removed outside it.</summary>
    public const string Gone = ".gone";

    /// <summary>Ending of the file with all data of a torrent.</summary>
    public const string Data = ".data";

    /// <summary>Ending of the folder with a file for each piece, where files cannot have holes.</summary>
    public const string Pieces = ".pieces";

    /// <summary>Ending of the resume data.</summary>
    public const string Resume = ".resume";

    private readonly Dictionary<InfoHash, LinkedListNode<Kept>> _torrents = [];
    private readonly LinkedList<Kept> _byAge = [];
    private long _bytes;

    /// <summary>Bytes that count towards the limit. Thread-safe.</summary>
    public long Bytes => Interlocked.Read(ref _bytes);

    /// <summary>The torrents that rest.</summary>
    public IEnumerable<InfoHash> Hashes => _torrents.Keys;

    /// <summary>Finds the data that an earlier run left, and removes data without resume data.</summary>
    public void Scan()
    {
        if (!Directory.Exists(folder))
            return;
        var found = new List<(DateTime Since, Kept Kept)>();
        var entries = new DirectoryInfo(folder).EnumerateFileSystemInfos();
        foreach (var entry in entries.Where(static entry => entry.Extension is Data or Pieces or Gone).ToArray())
        {
            var hash = default(InfoHash);
            var isOurs = entry.Extension == Gone || InfoHash.TryParse(Path.GetFileNameWithoutExtension(entry.Name), out hash);
            if (!isOurs)
                continue;
            if (entry.Extension == Form && ReadSize(hash) is { } bytes)
                found.Add((File.GetLastWriteTimeUtc(PathOf(hash) + Resume), new Kept(hash, SizeOf(entry, bytes))));
            else
                TryDelete(entry.FullName);
        }

        foreach (var (_, kept) in found.OrderBy(static torrent => torrent.Since))
            Add(kept.Hash, kept.Bytes);
    }

    /// <summary>Call when a torrent was closed with this many bytes on disk.</summary>
    public void Add(InfoHash hash, long bytes)
    {
        Remove(hash);
        _torrents[hash] = _byAge.AddLast(new Kept(hash, bytes));
        _bytes += bytes;
    }

    /// <summary>Takes out a torrent that is being opened or removed. False if it has nothing on disk.</summary>
    public bool Remove(InfoHash hash)
    {
        if (!_torrents.Remove(hash, out var node))
            return false;
        _byAge.Remove(node);
        _bytes -= node.Value.Bytes;
        return true;
    }

    /// <summary>The torrent to evict next. False if there is none.</summary>
    public bool TryFindOldest([MaybeNullWhen(false)] out InfoHash hash)
    {
        hash = _byAge.First?.Value.Hash ?? default;
        return _byAge.Count > 0;
    }

    /// <summary>Removes a torrent's resume data and renames its data. Returns the path to remove.</summary>
    public string Forget(InfoHash hash)
    {
        var path = PathOf(hash);
        TryDelete(path + Resume);
        var gone = path + Gone;
        try
        {
            if (hasHoles)
            {
                File.Move(path + Data, gone, overwrite: true);
            }
            else
            {
                TryDelete(gone);
                Directory.Move(path + Pieces, gone);
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The data is no longer recorded; the next start removes it.
        }

        return gone;
    }

    /// <summary>Removes a file, or a folder with all that is in it, if that is possible.</summary>
    public static void TryDelete(string path)
    {
        try
        {
            if (Directory.Exists(path))
                Directory.Delete(path, recursive: true);
            else
                File.Delete(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The next start tries again.
        }
    }

    private long? ReadSize(InfoHash hash)
    {
        try
        {
            return ResumeFile.Size(PathOf(hash) + Resume, hash);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private string Form => hasHoles ? Data : Pieces;

    /// <summary>Bytes that count towards the limit: the recorded ones, or all bytes of the files of pieces.</summary>
    private static long SizeOf(FileSystemInfo entry, long claimed) => entry switch
    {
        FileInfo file => Math.Min(claimed, file.Length),
        DirectoryInfo pieces => pieces.EnumerateFiles().Sum(static file => file.Length),
        _ => 0,
    };

    private string PathOf(InfoHash hash) => Path.Combine(folder, hash.ToString());

    private readonly record struct Kept(InfoHash Hash, long Bytes);
}
