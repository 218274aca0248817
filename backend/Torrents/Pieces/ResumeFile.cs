using System.Buffers.Binary;
using System.Security.Cryptography;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;

namespace NzbDav.Torrents.Pieces;

/// <summary>
/// Which pieces of a torrent are on disk, as written beside its data: magic, info-hash, number of pieces, one bit each, SHA-1 of all before. It is
/// written to a new file, synced, and moved over the old one; what it claims was synced before.
/// </summary>
internal static class ResumeFile
{
    private static ReadOnlySpan<byte> Magic => "NzbDavR1"u8;

    /// <summary>Writes the claims. Throws an <see cref="IOException"/> if it cannot.</summary>
    public static void Save(string path, InfoHash hash, BitField pieces)
    {
        var bits = BitField.Bytes(pieces.Length);
        var bytes = new byte[8 + 20 + 4 + bits + 20];
        Magic.CopyTo(bytes);
        hash.CopyTo(bytes.AsSpan(8));
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(28), pieces.Length);
        pieces.Write(bytes.AsSpan(32, bits));
        Digest(bytes.AsSpan(0, 32 + bits), bytes.AsSpan(32 + bits));
        var next = path + ".new";
        using (var file = File.OpenHandle(next, FileMode.Create, FileAccess.Write))
        {
            RandomAccess.Write(file, bytes, 0);
            RandomAccess.FlushToDisk(file);
        }

        File.Move(next, path, overwrite: true);
    }

    /// <summary>Reads the claims; null if there are none, or not of this torrent, or damaged.</summary>
    public static BitField? Load(string path, InfoHash hash, int count)
    {
        if (!File.Exists(path))
            return null;
        var bytes = File.ReadAllBytes(path);
        var bits = BitField.Bytes(count);
        if (bytes.Length != 8 + 20 + 4 + bits + 20 || !bytes.AsSpan().StartsWith(Magic) || new InfoHash(bytes.AsSpan(8, 20)) != hash
            || BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(28)) != count)
            return null;
        Span<byte> digest = stackalloc byte[20];
        Digest(bytes.AsSpan(0, 32 + bits), digest);
        if (!digest.SequenceEqual(bytes.AsSpan(32 + bits)))
            return null;
        var pieces = new BitField(count);
        return pieces.TryRead(bytes.AsSpan(32, bits)) ? pieces : null;
    }

    private static void Digest(ReadOnlySpan<byte> bytes, Span<byte> digest)
    {
#pragma warning disable CA5350 // Against accidents only.
        SHA1.HashData(bytes, digest);
#pragma warning restore CA5350
    }
}
