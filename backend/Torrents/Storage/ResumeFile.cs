using System.Buffers;
using System.Buffers.Binary;
using System.Security.Cryptography;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// The resume data file beside a torrent's data, which says which pieces are on disk. Format: magic, info-hash, number of pieces, piece
/// length, one bit per piece; for kept files then their times of change; SHA-1 of all of this. It is written to a new file, synced, and
/// moved over the old one. The data that it names was synced before.
/// </summary>
internal static class ResumeFile
{
    private static ReadOnlySpan<byte> Magic => "NzbDavR2"u8;

    private static ReadOnlySpan<byte> TimedMagic => "NzbDavR3"u8;

    /// <summary>Largest file that is read, in bytes: enough for the bits and times of every torrent that we accept.</summary>
    private const int MostBytes = 8 << 20;

    private const int Head = 8 + InfoHash.Size + 4 + 4;

    /// <summary>Writes the file. Throws an <see cref="IOException"/> if that fails.</summary>
    /// <param name="path">Path of the file.</param>
    /// <param name="info">The torrent.</param>
    /// <param name="pieces">The pieces on disk.</param>
    /// <param name="times">The time of change of each file of a kept torrent; empty for the cache.</param>
    public static void Save(string path, TorrentInfo info, BitField pieces, ReadOnlySpan<long> times = default)
    {
        var bits = BitField.Bytes(pieces.Length);
        var data = bits + (times.Length * sizeof(long));
        var rented = ArrayPool<byte>.Shared.Rent(Head + data + InfoHash.Size);
        try
        {
            var bytes = rented.AsSpan(0, Head + data + InfoHash.Size);
            (times.IsEmpty ? Magic : TimedMagic).CopyTo(bytes);
            info.Hash.CopyTo(bytes[8..]);
            BinaryPrimitives.WriteInt32LittleEndian(bytes[28..], pieces.Length);
            BinaryPrimitives.WriteInt32LittleEndian(bytes[32..], info.PieceLength);
            pieces.Write(bytes.Slice(Head, bits));
            for (var i = 0; i < times.Length; i++)
                BinaryPrimitives.WriteInt64LittleEndian(bytes[(Head + bits + (i * sizeof(long)))..], times[i]);
            Digest(bytes[..(Head + data)], bytes[(Head + data)..]);
            Replace(path, bytes);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(rented);
        }
    }

    /// <summary>Reads the pieces; null if there is no file, or if it is damaged or belongs to another torrent.</summary>
    public static BitField? Load(string path, TorrentInfo info) => Load(path, info, out _);

    /// <summary>Like <see cref="Load(string, TorrentInfo)"/>, with the times of change.</summary>
    /// <param name="path">Path of the file.</param>
    /// <param name="info">The torrent.</param>
    /// <param name="times">The files' times of change; empty if there are none.</param>
    public static BitField? Load(string path, TorrentInfo info, out long[] times)
    {
        times = [];
        if (Read(path, info.Hash) is not var (pieces, length, found) || pieces.Length != info.PieceCount || length != info.PieceLength)
            return null;
        times = found;
        return pieces;
    }

    /// <summary>Recorded bytes, with every piece counted at full length; null if there is no valid file.</summary>
    public static long? Size(string path, InfoHash hash) =>
        Read(path, hash) is var (pieces, length, _) ? (long)pieces.Count * length : null;

    /// <summary>The pieces, the length of a piece, and the files' times of change; null if there is no valid file.</summary>
    /// <exception cref="IOException">The file exists and cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">The same.</exception>
    public static (BitField Pieces, int Length, long[] Times)? Read(string path, InfoHash hash)
    {
        if (ReadAll(path) is not { } bytes)
            return null;
        var count = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(28));
        var isTimed = bytes.AsSpan().StartsWith(TimedMagic);
        if (!(isTimed || bytes.AsSpan().StartsWith(Magic)) || count < 0 || new InfoHash(bytes.AsSpan(8, InfoHash.Size)) != hash)
            return null;
        var data = bytes.Length - Head - InfoHash.Size;
        var rest = data - BitField.Bytes(count);
        if (rest < 0 || (isTimed ? rest % sizeof(long) : rest) != 0)
            return null;
        Span<byte> digest = stackalloc byte[InfoHash.Size];
        Digest(bytes.AsSpan(0, Head + data), digest);
        if (!digest.SequenceEqual(bytes.AsSpan(Head + data)))
            return null;
        var pieces = new BitField(count);
        if (!pieces.TryRead(bytes.AsSpan(Head, data - rest)))
            return null;
        var times = new long[rest / sizeof(long)];
        for (var i = 0; i < times.Length; i++)
            times[i] = BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan(Head + data - rest + (i * sizeof(long))));
        return (pieces, BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(32)), times);
    }

    private static byte[]? ReadAll(string path)
    {
        try
        {
            using var file = File.OpenHandle(path);

            var length = RandomAccess.GetLength(file);
            if (length is < Head + InfoHash.Size or > MostBytes)
                return null;
            var bytes = new byte[length];
            return RandomAccess.Read(file, bytes, 0) == length ? bytes : null;
        }
        catch (Exception error) when (BeneathFolder.IsGone(error))
        {
            return null;
        }
    }

    /// <summary>Replaces a file: writes a new one beside it, syncs that, and moves it over the old one.</summary>
    public static void Replace(string path, ReadOnlySpan<byte> bytes)
    {
        var next = path + ".new";
        using (var file = File.OpenHandle(next, FileMode.Create, FileAccess.Write))
        {
            RandomAccess.Write(file, bytes, 0);
            RandomAccess.FlushToDisk(file);
        }

        File.Move(next, path, overwrite: true);
    }

    private static void Digest(ReadOnlySpan<byte> bytes, Span<byte> digest)
    {
#pragma warning disable CA5350 // Protects against accidents only.
        SHA1.HashData(bytes, digest);
#pragma warning restore CA5350
    }
}
