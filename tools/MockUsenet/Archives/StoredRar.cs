using System.Security.Cryptography;
using System.Text;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.MockUsenet.Archives;

/// <summary>Packs one file into a set of RAR 5.0 volumes, stored, as in posts to Usenet. The same arguments give the same bytes.</summary>
public static class StoredRar
{
    /// <summary>Key derivation runs 2^8 rounds, which is enough for a test and quick. The real program uses 2^15.</summary>
    private const int Rounds = 8;

    private const int IsVolume = 1;
    private const int HasNumber = 2;
    private const int HasExtra = 1;
    private const int HasData = 2;
    private const int FromBefore = 8;
    private const int GoesOn = 16;

    /// <summary>Returns the volumes in order.</summary>
    /// <param name="name">The file's name in the archive.</param>
    /// <param name="bytes">Its bytes.</param>
    /// <param name="volumeSize">Bytes of each volume except the last; at least 1,024, for the headers.</param>
    /// <param name="password">Encrypts the file with AES-256; null leaves it plain. Headers stay readable.</param>
    /// <param name="seed">Seed of salt and IV.</param>
    public static IReadOnlyList<byte[]> Pack(string name, byte[] bytes, int volumeSize, string? password = null, ulong seed = 1)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(bytes);
        ArgumentOutOfRangeException.ThrowIfLessThan(volumeSize, 1_024);
        var cipher = password is null ? null : new Cipher(password, seed);
        var packed = cipher?.Encrypt(bytes) ?? bytes;
        var checksum = Crc32.Of(bytes);
        var end = Block(5, 0, new FieldWriter().Vint(1), [], data: null);
        var volumes = new List<byte[]>();
        for (var offset = 0; offset < packed.Length || volumes.Count == 0;)
        {
            var volume = new FieldWriter().Add([0x52, 0x61, 0x72, 0x21, 0x1A, 0x07, 0x01, 0x00]).Add(Archive(volumes.Count));
            var before = offset > 0 ? FromBefore : 0;
            var rest = packed.Length - offset;

            // Data sizes are written with four bytes, so that the header's length does not depend on them.
            var room = volumeSize - volume.Length - File(name, bytes.Length, cipher, 0, rest, before).Length - end.Length;
            var last = rest <= room;
            var part = packed.AsSpan(offset, last ? rest : room);
            volume.Add(File(name, bytes.Length, cipher, last ? checksum : Crc32.Of(part), part.Length, before | (last ? 0 : GoesOn)))
                .Add(part);
            volume.Add(last ? Block(5, 0, new FieldWriter().Vint(0), [], data: null) : end);
            volumes.Add(volume.ToArray());
            offset += part.Length;
            if (last)
                break;
        }

        return volumes;
    }

    /// <summary>
    /// Lays a file of any size out in volumes, whose bytes are made when they are asked for. The checksums are 0: nobody verifies those of
    /// what is read in parts.
    /// </summary>
    /// <param name="name">The file's name in the archive.</param>
    /// <param name="file">Its bytes.</param>
    /// <param name="volumeSize">Bytes of each volume except the last; at least 1,024, for the headers.</param>
    /// <returns>The volumes in order.</returns>
    public static IReadOnlyList<IArticleSource> Lay(string name, IArticleSource file, int volumeSize)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(file);
        ArgumentOutOfRangeException.ThrowIfLessThan(volumeSize, 1_024);
        var more = Block(5, 0, new FieldWriter().Vint(1), [], data: null);
        var volumes = new List<IArticleSource>();
        for (long offset = 0; offset < file.Length || volumes.Count == 0;)
        {
            var front = new FieldWriter().Add([0x52, 0x61, 0x72, 0x21, 0x1A, 0x07, 0x01, 0x00]).Add(Archive(volumes.Count));
            var before = offset > 0 ? FromBefore : 0;
            var room = volumeSize - front.Length - File(name, file.Length, cipher: null, 0, 0, before).Length - more.Length;
            var isLast = file.Length - offset <= room;
            var length = (int)Math.Min(room, file.Length - offset);
            front.Add(File(name, file.Length, cipher: null, 0, length, before | (isLast ? 0 : GoesOn)));
            volumes.Add(new Volume(front.ToArray(), file, offset, length,
                isLast ? Block(5, 0, new FieldWriter().Vint(0), [], data: null) : more));
            offset += length;
        }

        return volumes;
    }

    private static byte[] Archive(int number)
    {
        var fields = new FieldWriter().Vint((ulong)(IsVolume | (number > 0 ? HasNumber : 0)));
        return Block(1, 0, number > 0 ? fields.Vint((ulong)number) : fields, [], data: null);
    }

    private static byte[] File(string name, long length, Cipher? cipher, uint checksum, int packed, int flags)
    {
        var text = Encoding.UTF8.GetBytes(name);

        // Time and checksum follow; 0x81A4: a plain file that its owner may write; method 0: stored; host 1: Unix.
        var fields = new FieldWriter().Vint(2 | 4).Vint((ulong)length).Vint(0x81A4).U32(1_600_000_000).U32(checksum).Vint(0).Vint(1)
            .Vint((ulong)text.Length).Add(text);
        return Block(2, flags, fields, cipher is null || length == 0 ? [] : cipher.Record(), packed);
    }

    /// <summary>Builds a header, with the size of its data area if there is one.</summary>
    private static byte[] Block(int type, int flags, FieldWriter fields, byte[] extra, int? data)
    {
        var body = new FieldWriter().Vint((ulong)type)
            .Vint((ulong)(flags | (extra.Length > 0 ? HasExtra : 0) | (data is null ? 0 : HasData)));
        if (extra.Length > 0)
            body.Vint((ulong)extra.Length);
        if (data is { } size)
            body.Vint((ulong)size, least: 4);
        body.Add(fields.ToArray()).Add(extra);
        var sized = new FieldWriter().Vint((ulong)body.Length).Add(body.ToArray()).ToArray();
        return new FieldWriter().U32(Crc32.Of(sized)).Add(sized).ToArray();
    }

    /// <summary>A volume: a part of the file between its headers.</summary>
    private sealed class Volume(byte[] front, IArticleSource file, long start, int length, byte[] back) : IArticleSource
    {
        public long Length => front.Length + length + back.Length;

        public void Fill(long offset, Span<byte> destination)
        {
            for (int count; destination.Length > 0; offset += count, destination = destination[count..])
            {
                if (offset < front.Length)
                {
                    count = (int)Math.Min(destination.Length, front.Length - offset);
                    front.AsSpan((int)offset, count).CopyTo(destination);
                }
                else if (offset - front.Length < length)
                {
                    count = (int)Math.Min(destination.Length, front.Length + length - offset);
                    file.Fill(start + offset - front.Length, destination[..count]);
                }
                else
                {
                    count = destination.Length;
                    back.AsSpan((int)(offset - front.Length - length), count).CopyTo(destination);
                }
            }
        }
    }

    /// <summary>AES-256-CBC with a key derived from the password by PBKDF2.</summary>
    private sealed class Cipher
    {
        private readonly byte[] _salt = new byte[16];
        private readonly byte[] _iv = new byte[16];
        private readonly byte[] _key;
        private readonly byte[] _check;

        public Cipher(string password, ulong seed)
        {
            new SeededSource(seed, "salt", _salt.Length).Fill(0, _salt);
            new SeededSource(seed, "iv", _iv.Length).Fill(0, _iv);
            var bytes = Encoding.UTF8.GetBytes(password);
            _key = Rfc2898DeriveBytes.Pbkdf2(bytes, _salt, 1 << Rounds, HashAlgorithmName.SHA256, 32);

            // The password's check value: 32 further rounds, folded to eight bytes, with four of their hash.
            var further = Rfc2898DeriveBytes.Pbkdf2(bytes, _salt, (1 << Rounds) + 32, HashAlgorithmName.SHA256, 32);
            var check = new byte[8];
            for (var i = 0; i < further.Length; i++)
                check[i % check.Length] ^= further[i];
            _check = [.. check, .. SHA256.HashData(check).AsSpan(0, 4)];
        }

        public byte[] Encrypt(byte[] bytes)
        {
            var padded = bytes;
            Array.Resize(ref padded, (bytes.Length + 15) / 16 * 16);
            using var aes = Aes.Create();
            aes.Key = _key;
            return aes.EncryptCbc(padded, _iv, PaddingMode.None);
        }

        /// <summary>The file's encryption record: type, version 0, flag 1 (check value present), rounds, salt, IV, check value.</summary>
        public byte[] Record()
        {
            var record = new FieldWriter().Vint(1).Vint(0).Vint(1).U8(Rounds).Add(_salt).Add(_iv).Add(_check).ToArray();
            return new FieldWriter().Vint((ulong)record.Length).Add(record).ToArray();
        }
    }
}
