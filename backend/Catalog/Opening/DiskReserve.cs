using System.Security.Cryptography;
using NzbDav.Catalog.Database;
using NzbDav.Content;

namespace NzbDav.Catalog.Opening;

/// <summary>
/// A file that holds some room on the disk of the configuration folder, <c>nzbdav.reserve</c>. A start on a full disk deletes it: SQLite
/// needs 32 KiB for the index of its log before anything can be read (https://www.sqlite.org/walformat.html#the_wal_index_file_format),
/// and the log some more.
/// </summary>
public static class DiskReserve
{
    /// <summary>What a start writes, with room to spare: the log's index, a few pages of the log, a key.</summary>
    private const int Bytes = 1 << 20;

    /// <summary>Free bytes of a disk on which a running server does without the room.</summary>
    private const long Plenty = 64L << 20;

    /// <summary>Takes the room, if it is not taken yet. Failure is ignored: then a start on a full disk fails, with the reason.</summary>
    /// <param name="folder">The configuration folder.</param>
    /// <param name="isStopping">True when the catalog is closed: then it may take the last bytes, which are those that the catalog has
    /// just left.</param>
    public static void Reserve(string folder, bool isStopping)
    {
        ArgumentNullException.ThrowIfNull(folder);
        try
        {
            var path = PathIn(folder);
            if (File.Exists(path) || (!isStopping && new DriveInfo(folder).AvailableFreeSpace < Plenty))
                return;

            // Random, because file systems that compress store zeros in no room at all. Unbuffered, so that a full disk cuts the file
            // instead of failing its end.
            using var file = new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 0);
            var piece = new byte[4 << 10];
            for (var at = 0; at < Bytes; at += piece.Length)
            {
                RandomNumberGenerator.Fill(piece);
                file.Write(piece);
            }
        }
        catch (Exception e) when (FileFaults.IsFault(e) || FullDisk.Is(e))
        {
            // There is no room, or nothing may be written there: what has been written, if anything, is the reserve.
        }
    }

    /// <summary>Gives the room back. False: there was none.</summary>
    /// <param name="folder">The configuration folder.</param>
    internal static bool TryRelease(string folder)
    {
        try
        {
            var path = PathIn(folder);
            if (!File.Exists(path))
                return false;
            File.Delete(path);
            return true;
        }
        catch (Exception e) when (FileFaults.IsFault(e))
        {
            return false;
        }
    }

    private static string PathIn(string folder) => Path.Combine(folder, "nzbdav.reserve");
}
