using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// Where verified pieces of one torrent lie on disk: in the cache or where they are kept. Offsets count in the torrent's one stream of bytes. Reading is thread-safe; whoever writes,
/// frees or claims holds <see cref="HeldPieces.FileGate"/>. Throws an <see cref="IOException"/> where the disk is full, broken or not to be trusted.
/// </summary>
internal abstract class PieceDisk : IDisposable
{
    /// <summary>Reads up to <paramref name="destination"/>'s length; 0: it is not there.</summary>
    public abstract ValueTask<int> ReadAsync(long offset, Memory<byte> destination, CancellationToken cancellationToken);

    /// <summary>Writes all bytes. A part may have been written when it throws.</summary>
    public abstract void Write(long offset, ReadOnlySpan<byte> bytes);

    /// <summary>What was written before is on disk when this returns. Needs no lock: what is written meanwhile may be or not.</summary>
    public abstract void Flush();

    /// <summary>Gives space back, as far as the file system can.</summary>
    public abstract void Free(long offset, long length);

    /// <summary>Replaces the claims of an earlier run.</summary>
    public abstract void SaveClaims(BitField claims);

    /// <summary>Claims of an earlier run, as far as the files bear them out; null: none.</summary>
    public abstract BitField? Load();

    /// <summary>Closes files.</summary>
    public abstract void Dispose();
}
