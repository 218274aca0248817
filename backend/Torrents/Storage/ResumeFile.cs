using System.Buffers;
using System.Buffers.Binary;
using System.Security.Cryptography;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// The claims file beside a torrent's data, which says which pieces are on disk: magic, info-hash, number of pieces, their length, one bit for each, SHA-1 of
/// all of this. It is written to a new file, synced, and moved over the old one. The claimed data was synced before.
/// </summary>
internal static class ResumeFile
{
    private static ReadOnlySpan<byte> Magic => "NzbDavR2"u8;

    private const int Head = 8 + InfoHash.Size + 4 + 4;

    /// <summary>Writes the claims. Throws an <see cref="IOException"/> if that fails.</summary>
    public static void Save(string path, TorrentInfo info, BitField pieces)
    {
        var bits = BitField.Bytes(pieces.Length);
        var rented = ArrayPool<byte>.Shared.Rent(Head + bits + InfoHash.Size);
        try
        {
            var bytes = rented.AsSpan(0, Head + bits + InfoHash.Size);
            Magic.CopyTo(bytes);
            info.Hash.CopyTo(bytes[8..]);
            BinaryPrimitives.WriteInt32LittleEndian(bytes[28..], pieces.Length);
            BinaryPrimitives.WriteInt32LittleEndian(bytes[32..], info.PieceLength);
            pieces.Write(bytes.Slice(Head, bits));
            Digest(bytes[..(Head + bits)], bytes[(Head + bits)..]);
            Replace(path, bytes);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(rented);
        }
    }

    /// <summary>Reads the claims; null if there are none, or if they are damaged or belong to another torrent.</summary>
    public static BitField? Load(string path, TorrentInfo info) =>
        Read(path, info.Hash) is var (pieces, length) && pieces.Length == info.PieceCount && length == info.PieceLength ? pieces : null;

    /// <summary>Claimed bytes, with every piece counted at full length; null if there are no valid claims.</summary>
    public static long? Size(string path, InfoHash hash) => Read(path, hash) is var (pieces, length) ? (long)pieces.Count * length : null;

    /// <summary>The claims, and the length of a piece; null if there are no valid claims.</summary>
    public static (BitField Pieces, int Length)? Read(string path, InfoHash hash)
    {
        // 2 MiB are enough for the bits of every torrent that we accept.
        var found = new FileInfo(path);
        if (!found.Exists || found.Length < Head + InfoHash.Size || found.Length > 2 << 20)
            return null;
        var bytes = File.ReadAllBytes(path);
        var count = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(28));
        if (!bytes.AsSpan().StartsWith(Magic) || count < 0 || new InfoHash(bytes.AsSpan(8, InfoHash.Size)) != hash)
            return null;
        var bits = BitField.Bytes(count);
        if (bytes.Length != Head + bits + InfoHash.Size)
            return null;
        Span<byte> digest = stackalloc byte[InfoHash.Size];
        Digest(bytes.AsSpan(0, Head + bits), digest);
        if (!digest.SequenceEqual(bytes.AsSpan(Head + bits)))
            return null;
        var pieces = new BitField(count);
        return pieces.TryRead(bytes.AsSpan(Head, bits)) ? (pieces, BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(32))) : null;
    }

    private static void Replace(string path, ReadOnlySpan<byte> bytes)
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
#pragma warning disable CA5350 // Against accidents only.
        SHA1.HashData(bytes, digest);
#pragma warning restore CA5350
    }
}
