using System.Security.Cryptography;
using System.Text;

namespace NzbDav.Fakes.Archives;

/// <summary>Writes RAR 3.x archives, stored, as the real program lays them out. Proved against unrar and bsdtar.</summary>
public sealed class Rar4Writer
{
    private const int EndLength = 7 + 4 + 2;

    /// <summary>Bytes of each volume but the last; null for a single one.</summary>
    public int? VolumeSize { get; init; }

    /// <summary>Encrypts the files; at most 28 characters.</summary>
    public string? Password { get; init; }

    /// <summary>Encrypts the headers too.</summary>
    public bool EncryptHeaders { get; init; }

    /// <summary>Ends volumes as RAR did before 3.0: without an end header, and so without a number.</summary>
    public bool NoEnd { get; init; }

    /// <summary>The salt.</summary>
    public int Seed { get; init; } = 4;

    private readonly List<byte[]> _volumes = [];
    private ArchiveBytes _out = new();
    private byte[] _salt = [];
    private byte[] _key = [];
    private byte[] _iv = [];

    /// <summary>The volumes in order.</summary>
    public IReadOnlyList<byte[]> Write(params IReadOnlyList<PackedFile> files)
    {
        _volumes.Clear();
        _salt = SeededBytes.Make(Seed, 8);
        if (Password is not null)
            Derive(Password);
        Begin();
        foreach (var file in files)
            Write(file);
        End(more: false);
        return [.. _volumes];
    }

    private void Write(PackedFile file)
    {
        var plain = file.Bytes ?? [];
        var packed = Password is null || plain.Length == 0 ? plain : Encrypt(Pad(plain));
        var offset = 0;
        while (true)
        {
            var header = Header(file, 0, packed.Length - offset, offset > 0, after: false).Length;
            var room = VolumeSize is { } size ? size - _out.Length - Sealed(header) - Sealed(NoEnd ? 0 : EndLength) : int.MaxValue;
            if (packed.Length - offset <= room)
            {
                Emit(Header(file, ArchiveBytes.Crc32(plain), packed.Length - offset, offset > 0, after: false), packed.AsSpan(offset));
                return;
            }

            if (room > 0)
            {
                var part = packed.AsSpan(offset, room);
                Emit(Header(file, ArchiveBytes.Crc32(part), room, offset > 0, after: true), part);
                offset += room;
            }

            End(more: true);
            Begin();
        }
    }

    private int Sealed(int length) => EncryptHeaders && length > 0 ? 8 + ((length + 15) / 16 * 16) : length;

    // The main header is never encrypted.
    private void Begin()
    {
        _out = new ArchiveBytes().Add([0x52, 0x61, 0x72, 0x21, 0x1A, 0x07, 0x00]);
        var flags = (VolumeSize is null ? 0 : 0x0001 | 0x0010) | (EncryptHeaders ? 0x0080 : 0)
            | (VolumeSize is not null && _volumes.Count == 0 ? 0x0100 : 0);
        _out.Add(Block(0x73, flags, new ArchiveBytes().U16(0).U32(0)));
    }

    private void End(bool more)
    {
        if (!NoEnd)
        {
            // Flags: next volume, checksum of the volume so far, number.
            var flags = 0x4000 | (more ? 1 : 0) | 2 | (VolumeSize is null ? 0 : 8);
            var fields = new ArchiveBytes().U32(ArchiveBytes.Crc32(_out.ToArray()));
            if (VolumeSize is not null)
                fields.U16(_volumes.Count);
            Emit(Block(0x7B, flags, fields), []);
        }

        _volumes.Add(_out.ToArray());
    }

    private byte[] Header(PackedFile file, uint crc, int packed, bool before, bool after)
    {
        var folder = file.Bytes is null;
        var salted = Password is not null && file.Bytes is { Length: > 0 };
        var name = Name(file.Path, out var unicode);
        var flags = 0x8000 | (before ? 1 : 0) | (after ? 2 : 0) | (salted ? 0x0404 : 0) | (folder ? 0xE0 : 0) | (unicode ? 0x0200 : 0)
            | 0x1000;
        var fields = new ArchiveBytes()
            .U32((uint)packed)
            .U32((uint)(file.Bytes?.Length ?? 0))
            .U8(3)
            .U32(crc)
            .U32(Dos(file.Modified))
            .U8(29)
            .U8(0x30 + file.Method)
            .U16(name.Length)
            .U32(folder ? 0x41EDU : 0x81A4)
            .Add(name);
        if (salted)
            fields.Add(_salt);

        // Extended time: mtime is there, one second more if it is odd, no finer.
        fields.U16((8 | ((file.Modified.ToUnixTimeSeconds() & 1) != 0 ? 4 : 0)) << 12);
        return Block(0x74, flags, fields);
    }

    // The plain name, a zero, then every character as two bytes: a byte of flags (four times "10") before each four characters.
    private static byte[] Name(string path, out bool unicode)
    {
        var text = path.Replace('/', '\\');
        unicode = text.Any(c => c > 0x7E);
        if (!unicode)
            return Encoding.ASCII.GetBytes(text);
        var name = new ArchiveBytes().Add(Encoding.ASCII.GetBytes(text)).U8(0).U8(0);
        for (var i = 0; i < text.Length; i++)
        {
            if (i % 4 == 0)
                name.U8(0b10101010);
            name.U16(text[i]);
        }

        return name.ToArray();
    }

    private static byte[] Block(int type, int flags, ArchiveBytes fields)
    {
        var body = new ArchiveBytes().U8(type).U16(flags).U16(7 + fields.Length).Add(fields.ToArray()).ToArray();
        return new ArchiveBytes().U16((ushort)ArchiveBytes.Crc32(body)).Add(body).ToArray();
    }

    private static uint Dos(DateTimeOffset time) => (uint)(
        ((time.Year - 1980) << 25) | (time.Month << 21) | (time.Day << 16) | (time.Hour << 11) | (time.Minute << 5) | (time.Second / 2));

    private void Emit(byte[] header, ReadOnlySpan<byte> data)
    {
        if (EncryptHeaders)
            _out.Add(_salt).Add(Encrypt(Pad(header)));
        else
            _out.Add(header);
        _out.Add(data);
    }

    private static byte[] Pad(byte[] bytes)
    {
        var padded = bytes;
        Array.Resize(ref padded, (bytes.Length + 15) / 16 * 16);
        return padded;
    }

    private byte[] Encrypt(byte[] bytes)
    {
        using var aes = Aes.Create();
        aes.Key = _key;
        return aes.EncryptCbc(bytes, _iv, PaddingMode.None);
    }

#pragma warning disable CA5350 // The format wants SHA-1.
    private void Derive(string password)
    {
        var secret = (byte[])[.. Encoding.Unicode.GetBytes(password), .. _salt];
        _iv = new byte[16];
        using var all = new MemoryStream();
        for (var i = 0; i < 0x40000; i++)
        {
            all.Write(secret);
            all.Write([(byte)i, (byte)(i >> 8), (byte)(i >> 16)]);
            if (i % 0x4000 == 0)
                _iv[i / 0x4000] = SHA1.HashData(all.GetBuffer().AsSpan(0, (int)all.Length))[19];
        }

        var digest = SHA1.HashData(all.GetBuffer().AsSpan(0, (int)all.Length));
        _key = [digest[3], digest[2], digest[1], digest[0], digest[7], digest[6], digest[5], digest[4], digest[11], digest[10], digest[9],
            digest[8], digest[15], digest[14], digest[13], digest[12]];
    }
#pragma warning restore CA5350
}
