using System.Diagnostics;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// The verified pieces of one torrent on disk: in the cache or in kept files. Offsets are those in the torrent, whose files follow each
/// other. Reading is thread-safe; writing, freeing and saving resume data require <see cref="TorrentPieces.FileGate"/>. Throws an
/// <see cref="IOException"/> if the disk is full, broken or not to be trusted.
/// </summary>
internal abstract class PieceDisk : IDisposable
{
    /// <summary>The <see cref="TorrentPieces.FileGate"/> of its torrent, checked in Debug builds; null: it belongs to no torrent.</summary>
    public Lock? Gate { get; set; }

    /// <summary>Reads at most the length of <paramref name="destination"/>. 0: the data is not there.</summary>
    public abstract ValueTask<int> ReadAsync(long offset, Memory<byte> destination, CancellationToken cancellationToken);

    /// <summary>Writes all bytes. If it throws, a part may have been written.</summary>
    public abstract void Write(long offset, ReadOnlySpan<byte> bytes);

    /// <summary>Syncs: everything written before the call is on disk when it returns. Needs no lock; data written during the call may or
    /// may not be included.</summary>
    public abstract void Flush();

    /// <summary>Frees the space of a range, if the file system can.</summary>
    public abstract void Free(long offset, long length);

    /// <summary>Saves which pieces are on disk, in place of the earlier resume data.</summary>
    public abstract void SaveResumeData(BitField pieces);

    /// <summary>Loads the resume data of an earlier run, without the pieces that the files contradict; null: there is none.</summary>
    public abstract BitField? Load();

    /// <summary>Closes files.</summary>
    public abstract void Dispose();

    [Conditional("DEBUG")]
    protected void AssertHeld() => Debug.Assert(Gate is null or { IsHeldByCurrentThread: true }, "Writing requires the torrent's file gate.");
}
