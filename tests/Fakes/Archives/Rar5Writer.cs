using System.Security.Cryptography;
using System.Text;

namespace NzbDav.Fakes.Archives;

/// <summary>Writes RAR 5.0 archives, stored, as the real program lays them out. Proved against unrar and bsdtar.</summary>
public sealed class Rar5Writer
{
    private const int VolumeFlag = 1;

    /// <summary>Bytes of each volume but the last; null for a single one.</summary>
    public int? VolumeSize { get; init; }

    /// <summary>Encrypts the files.</summary>
    public string? Password { get; init; }

    /// <summary>Encrypts the headers too.</summary>
    public bool EncryptHeaders { get; init; }

    /// <summary>Leaves the password's check value out.</summary>
    public bool NoCheck { get; init; }

    /// <summary>Binary logarithm of the key derivation's iterations; the real program takes 15.</summary>
    public int Rounds { get; init; } = 8;

    /// <summary>Salts and IVs.</summary>
    public int Seed { get; init; } = 5;

    /// <summary>Bytes of an extra record of an unknown type in the main header, by volume from 0: at least 2, or 0 for none.</summary>
    public Func<int, int> MainExtra { get; init; } = _ => 0;

    private readonly List<byte[]> _volumes = [];
    private ArchiveBytes _out = new();
    private byte[] _salt = [];
    private byte[] _key = [];
    private byte[] _check = [];
    private int _ivs;

    /// <summary>The volumes in order.</summary>
    public IReadOnlyList<byte[]> Write(params IReadOnlyList<PackedFile> files)
    {
        _volumes.Clear();
        _salt = SeededBytes.Make(Seed, 16);
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
        var iv = NextIV();
        var packed = Password is null ? plain : Encrypt(Pad(plain), iv);
        var offset = 0;
        while (true)
        {
            var room = Room(Header(file, iv, 0, packed.Length - offset, offset > 0, after: false).Length);
            if (packed.Length - offset <= room)
            {
                Emit(Header(file, iv, ArchiveBytes.Crc32(plain), packed.Length - offset, offset > 0, after: false), packed.AsSpan(offset));
                return;
            }

            if (room > 0)
            {
                var part = packed.AsSpan(offset, room);
                Emit(Header(file, iv, ArchiveBytes.Crc32(part), room, offset > 0, after: true), part);
                offset += room;
            }

            End(more: true);
            Begin();
        }
    }

    private int Room(int header) =>
        VolumeSize is { } size ? size - _out.Length - Sealed(header) - Sealed(EndHeader(more: true).Length) : int.MaxValue;

    private int Sealed(int length) => EncryptHeaders ? 16 + ((length + 15) / 16 * 16) : length;

    private void Begin()
    {
        _out = new ArchiveBytes().Add([0x52, 0x61, 0x72, 0x21, 0x1A, 0x07, 0x01, 0x00]);
        if (EncryptHeaders)
            _out.Add(
                Block(4, 0, new ArchiveBytes().Vint(0).Vint(NoCheck ? 0UL : 1).U8(Rounds).Add(_salt).Add(NoCheck ? [] : _check), [], -1));
        var number = _volumes.Count;
        var main = new ArchiveBytes().Vint((ulong)((VolumeSize is null ? 0 : VolumeFlag) | (number > 0 ? 2 : 0)));
        if (number > 0)
            main.Vint((ulong)number);
        var extra = MainExtra(number);
        Emit(Block(
            1, 0, main, extra == 0 ? [] : new ArchiveBytes().Vint((ulong)(extra - 1)).Vint(99).Add(new byte[extra - 2]).ToArray(), -1), []);
    }

    private void End(bool more)
    {
        Emit(EndHeader(more), []);
        _volumes.Add(_out.ToArray());
    }

    private static byte[] EndHeader(bool more) => Block(5, 0, new ArchiveBytes().Vint(more ? 1UL : 0), [], -1);

    private byte[] Header(PackedFile file, byte[] iv, uint crc, int packed, bool before, bool after)
    {
        var folder = file.Bytes is null;
        var name = Encoding.UTF8.GetBytes(file.Path);
        var fields = new ArchiveBytes()
            .Vint(folder ? 3UL : 2 | 4)
            .Vint((ulong)(file.Bytes?.Length ?? 0))
            .Vint(folder ? 0x41EDUL : 0x81A4)
            .U32((uint)file.Modified.ToUnixTimeSeconds());
        if (!folder)
            fields.U32(crc);
        fields.Vint((ulong)file.Method << 7).Vint(1).Vint((ulong)name.Length).Add(name);
        byte[] extra = [];
        if (Password is not null && file.Bytes is { Length: > 0 })
        {
            var record = new ArchiveBytes().Vint(1).Vint(0).Vint(NoCheck ? 0UL : 1).U8(Rounds).Add(_salt).Add(iv).Add(NoCheck ? [] : _check)
                .ToArray();
            extra = new ArchiveBytes().Vint((ulong)record.Length).Add(record).ToArray();
        }

        return Block(2, (before ? 8 : 0) | (after ? 16 : 0), fields, extra, packed);
    }

    /// <summary>
    /// A header; with a data area if <paramref name="data"/> is not negative. Its size has four bytes, so that headers of a set are alike.
    /// </summary>
    internal static byte[] Block(int type, int flags, ArchiveBytes fields, byte[] extra, int data)
    {
        var body = new ArchiveBytes().Vint((ulong)type).Vint((ulong)(flags | (extra.Length > 0 ? 1 : 0) | (data >= 0 ? 2 : 0)));
        if (extra.Length > 0)
            body.Vint((ulong)extra.Length);
        if (data >= 0)
            body.Vint((ulong)data, least: 4);
        body.Add(fields.ToArray()).Add(extra);
        var sized = new ArchiveBytes().Vint((ulong)body.Length).Add(body.ToArray()).ToArray();
        return new ArchiveBytes().U32(ArchiveBytes.Crc32(sized)).Add(sized).ToArray();
    }

    private void Emit(byte[] header, ReadOnlySpan<byte> data)
    {
        if (EncryptHeaders)
        {
            var iv = NextIV();
            _out.Add(iv).Add(Encrypt(Pad(header), iv));
        }
        else
        {
            _out.Add(header);
        }

        _out.Add(data);
    }

    private byte[] NextIV() => SeededBytes.Make(Seed + 1000 + _ivs++, 16);

    private static byte[] Pad(byte[] bytes)
    {
        var padded = bytes;
        Array.Resize(ref padded, (bytes.Length + 15) / 16 * 16);
        return padded;
    }

    private byte[] Encrypt(byte[] bytes, byte[] iv)
    {
        using var aes = Aes.Create();
        aes.Key = _key;
        return aes.EncryptCbc(bytes, iv, PaddingMode.None);
    }

    private void Derive(string password)
    {
        var bytes = Encoding.UTF8.GetBytes(password);
        _key = Rfc2898DeriveBytes.Pbkdf2(bytes, _salt, 1 << Rounds, HashAlgorithmName.SHA256, 32);
        var further = Rfc2898DeriveBytes.Pbkdf2(bytes, _salt, (1 << Rounds) + 32, HashAlgorithmName.SHA256, 32);
        var check = new byte[8];
        for (var i = 0; i < 32; i++)
            check[i % 8] ^= further[i];
        _check = [.. check, .. SHA256.HashData(check).AsSpan(0, 4)];
    }
}
