using System.Security.Cryptography;
using NzbDav.Catalog.Database;
using NzbDav.Content;

namespace NzbDav.Catalog.Opening;

/// <summary>
/// Reserves some space on the disk of the configuration folder with a file, <c>nzbdav.reserve</c>. A start on a full disk deletes it:
/// SQLite needs 32 KiB for the index of its log before it can read anything
/// (https://www.sqlite.org/walformat.html#the_wal_index_file_format), and some more for the log.
/// </summary>
public static class DiskReserve
{
    /// <summary>What a start writes, with a margin: the log's index, a few pages of the log, a key.</summary>
    private const int Bytes = 1 << 20;

    /// <summary>Free bytes above which a running server takes the reserve.</summary>
    private const long Plenty = 64L << 20;

    /// <summary>Creates the reserve file if it is missing. Ignores failure: a start on a full disk then fails with the reason.</summary>
    /// <param name="folder">The configuration folder.</param>
    /// <param name="isStopping">True when the catalog is closed: then the reserve may take the last free bytes, which the catalog has just
    /// released.</param>
    public static void Reserve(string folder, bool isStopping)
    {
        ArgumentNullException.ThrowIfNull(folder);
        try
        {
            var path = PathIn(folder);
            if (File.Exists(path) || (!isStopping && new DriveInfo(folder).AvailableFreeSpace < Plenty))
                return;

            // Random bytes: compressing file systems store zeros in no space at all. Unbuffered, so that a full disk cuts the file short
            // instead of failing at its end.
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
            // No space, or the folder cannot be written. Whatever was written is the reserve.
        }
    }

    /// <summary>Deletes the reserve file. False if there was none.</summary>
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
