using System.Security.Cryptography;
using System.Text;

namespace NzbDav.Fakes.Archives;

/// <summary>Writes 7z archives, stored (Copy), with AES if there is a password. Proved against 7z and bsdtar. Headers are plain or
/// encrypted, never packed.</summary>
public sealed class SevenZipWriter
{
    private const int Power = 12;

    /// <summary>Bytes of each volume but the last; null for a single one.</summary>
    public int? VolumeSize { get; init; }

    /// <summary>Encrypts the files.</summary>
    public string? Password { get; init; }

    /// <summary>Encrypts the header too.</summary>
    public bool EncryptHeader { get; init; }

    /// <summary>All files in one folder (in the sense of 7z), one behind the other; else one for each.</summary>
    public bool Together { get; init; }

    /// <summary>IVs.</summary>
    public int Seed { get; init; } = 7;

    private int _ivs;

    /// <summary>The volumes in order.</summary>
    public IReadOnlyList<byte[]> Write(params IReadOnlyList<PackedFile> files)
    {
        var key = Password is null ? null : Derive(Password);
        var full = files.Where(file => file.Bytes is { Length: > 0 }).ToArray();
        PackedFile[][] folders = Together && full.Length > 0 ? [full] : [.. full.Select(file => new[] { file })];
        var data = new ArchiveBytes();
        var streams = folders.Select(folder => Pack(data, key, [.. folder.SelectMany(file => file.Bytes!)])).ToArray();
        var header = new ArchiveBytes().U8(1);
        if (streams.Length > 0)
        {
            header.U8(4).Add(Streams(0, streams, digests: false));
            SubStreams(header, folders);
            header.U8(0);
        }

        Files(header, files);
        var next = header.U8(0).ToArray();
        if (EncryptHeader)
        {
            var start = data.Length;
            var packed = Pack(data, key, next);
            next = new ArchiveBytes().U8(0x17).Add(Streams(start, [packed], digests: true)).U8(0).ToArray();
        }

        return Cut(Assemble(data.ToArray(), next));
    }

    private Stream Pack(ArchiveBytes data, byte[]? key, byte[] plain)
    {
        var iv = SeededBytes.Make(Seed + _ivs++, 16);
        var packed = plain;
        if (key is not null)
        {
            Array.Resize(ref packed, (plain.Length + 15) / 16 * 16);
            using var aes = Aes.Create();
            aes.Key = key;
            packed = aes.EncryptCbc(packed, iv, PaddingMode.None);
        }

        data.Add(packed);
        return new Stream(packed.Length, plain.Length, ArchiveBytes.Crc32(plain), key is null ? null : iv);
    }

    // PackInfo, UnpackInfo; the caller adds SubStreamsInfo and the end.
    private static byte[] Streams(int start, Stream[] streams, bool digests)
    {
        var bytes = new ArchiveBytes().U8(6).Number((ulong)start).Number((ulong)streams.Length).U8(9);
        foreach (var stream in streams)
            bytes.Number((ulong)stream.Packed);
        bytes.U8(0).U8(7).U8(0x0B).Number((ulong)streams.Length).U8(0);
        foreach (var stream in streams)
        {
            // One coder: AES with its properties, or Copy.
            if (stream.IV is { } iv)
                bytes.Number(1).U8(0x24).Add([0x06, 0xF1, 0x07, 0x01]).Number(18).U8(0x40 | Power).U8(0x0F).Add(iv);
            else
                bytes.Number(1).U8(1).U8(0);
        }

        bytes.U8(0x0C);
        foreach (var stream in streams)
            bytes.Number((ulong)stream.Plain);
        if (digests)
        {
            bytes.U8(0x0A).U8(1);
            foreach (var stream in streams)
                bytes.U32(stream.Crc);
        }

        return bytes.U8(0).ToArray();
    }

    private static void SubStreams(ArchiveBytes header, PackedFile[][] folders)
    {
        header.U8(8);
        if (Array.Exists(folders, folder => folder.Length > 1))
        {
            header.U8(0x0D);
            foreach (var folder in folders)
                header.Number((ulong)folder.Length);
            header.U8(9);
            foreach (var file in folders.SelectMany(folder => folder.SkipLast(1)))
                header.Number((ulong)file.Bytes!.Length);
        }

        header.U8(0x0A).U8(1);
        foreach (var file in folders.SelectMany(folder => folder))
            header.U32(ArchiveBytes.Crc32(file.Bytes));
        header.U8(0);
    }

    private static void Files(ArchiveBytes header, IReadOnlyList<PackedFile> files)
    {
        header.U8(5).Number((ulong)files.Count);
        var empty = files.Where(file => file.Bytes is null or { Length: 0 }).ToArray();
        if (empty.Length > 0)
        {
            Property(header, 0x0E, Bits([.. files.Select(file => file.Bytes is null or { Length: 0 })]));
            Property(header, 0x0F, Bits([.. empty.Select(file => file.Bytes is not null)]));
        }

        var names = new ArchiveBytes().U8(0);
        foreach (var file in files)
            names.Add(Encoding.Unicode.GetBytes(file.Path + "\0"));
        Property(header, 0x11, names.ToArray());
        var times = new ArchiveBytes().U8(1).U8(0);
        foreach (var file in files)
            times.U64((ulong)file.Modified.ToFileTime());
        Property(header, 0x14, times.ToArray());
        var attributes = new ArchiveBytes().U8(1).U8(0);
        foreach (var file in files)
            attributes.U32(file.Bytes is null ? 0x10u : 0x20);
        Property(header, 0x15, attributes.ToArray());
        header.U8(0);
    }

    private static void Property(ArchiveBytes header, int type, byte[] bytes) => header.U8(type).Number((ulong)bytes.Length).Add(bytes);

    private static byte[] Bits(bool[] bits)
    {
        var bytes = new byte[(bits.Length + 7) / 8];
        for (var i = 0; i < bits.Length; i++)
            bytes[i / 8] |= (byte)(bits[i] ? 0x80 >> (i % 8) : 0);
        return bytes;
    }

    private static byte[] Assemble(byte[] data, byte[] next)
    {
        var start = new ArchiveBytes().U64((ulong)data.Length).U64((ulong)next.Length).U32(ArchiveBytes.Crc32(next)).ToArray();
        return new ArchiveBytes().Add([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4]).U32(ArchiveBytes.Crc32(start)).Add(start).Add(data)
            .Add(next).ToArray();
    }

    private byte[][] Cut(byte[] all) => VolumeSize is { } size ? [.. all.Chunk(size)] : [all];

    private static byte[] Derive(string password)
    {
        var bytes = new ArchiveBytes();
        for (var round = 0UL; round < 1UL << Power; round++)
            bytes.Add(Encoding.Unicode.GetBytes(password)).U64(round);
        return SHA256.HashData(bytes.ToArray());
    }

    private sealed record Stream(int Packed, int Plain, uint Crc, byte[]? IV);
}
