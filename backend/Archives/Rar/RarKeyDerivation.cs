using System.Buffers.Binary;
using System.Numerics;
using System.Security.Cryptography;
using System.Text;

namespace NzbDav.Archives.Rar;

/// <summary>
/// Key derivation of RAR 3.x and 4.x: SHA-1 over 262,144 copies of password, salt and a counter. The key is the digest; the IV consists of
/// bytes of intermediate digests. As in unrar's crypt3.cpp.
/// </summary>
internal static class RarKeyDerivation
{
    private const int Iterations = 0x40000;

    /// <summary>Iterations between two bytes of the IV: one byte is taken at the beginning of each of 16 equal runs.</summary>
    private const int Stretch = Iterations / 16;

    private const int BlockSize = 64;

    /// <param name="password">The password that the key is recorded under.</param>
    /// <param name="used">The part of the password that is hashed: at most 127 characters.</param>
    /// <param name="salt">8 bytes, or none.</param>
    public static RarKey Derive(string password, string used, ReadOnlySpan<byte> salt)
    {
        var secret = new byte[Encoding.Unicode.GetByteCount(used) + salt.Length];
        salt.CopyTo(secret.AsSpan(Encoding.Unicode.GetBytes(used, secret)));
        var iv = new byte[16];
        var digest = secret.Length <= BlockSize ? Digest(secret, iv) : DigestOfLong(secret, iv);

        // The digest's words are stored in reverse byte order.
        var key = new byte[16];
        for (var i = 0; i < 4; i++)
            BinaryPrimitives.WriteUInt32LittleEndian(key.AsSpan(i * 4), BinaryPrimitives.ReadUInt32BigEndian(digest.AsSpan(i * 4)));
        return new RarKey(password, key, iv, default);
    }

    private static byte[] Digest(byte[] secret, byte[] iv)
    {
        using var sha = IncrementalHash.CreateHash(HashAlgorithmName.SHA1);
        var unit = secret.Length + 3;
        var batch = new byte[unit * Stretch];
        for (var i = 0; i < Iterations; i += Stretch)
        {
            for (var j = 0; j < Stretch; j++)
                Write(batch.AsSpan(j * unit, unit), secret, i + j);
            sha.AppendData(batch, 0, unit);
            iv[i / Stretch] = sha.GetCurrentHash()[19];
            sha.AppendData(batch, unit, batch.Length - unit);
        }

        return sha.GetHashAndReset();
    }

    private static void Write(Span<byte> unit, byte[] secret, int counter)
    {
        secret.CopyTo(unit);
        unit[^3] = (byte)counter;
        unit[^2] = (byte)(counter >> 8);
        unit[^1] = (byte)(counter >> 16);
    }

    // A bug of RAR that became part of its format: SHA-1 worked in place, so every 64-byte block that is entirely in the caller's buffer is
    // overwritten with the last sixteen words of the message schedule, little-endian (unrar: sha1_process_rar29). Only passwords of more
    // than 28 characters are long enough.
    private static byte[] DigestOfLong(byte[] secret, byte[] iv)
    {
        Span<uint> state = [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0];
        Span<uint> schedule = stackalloc uint[80];
        Span<byte> block = stackalloc byte[BlockSize];
        Span<byte> counter = stackalloc byte[3];
        Span<byte> digest = stackalloc byte[20];
        long count = 0;
        for (var i = 0; i < Iterations; i++)
        {
            Append(secret, state, schedule, block, ref count);
            (counter[0], counter[1], counter[2]) = ((byte)i, (byte)(i >> 8), (byte)(i >> 16));
            Append(counter, state, schedule, block, ref count);
            if (i % Stretch == 0)
            {
                Finish(state, schedule, block, count, digest);
                iv[i / Stretch] = digest[19];
            }
        }

        Finish(state, schedule, block, count, digest);
        return digest.ToArray();
    }

    private static void Append(Span<byte> data, Span<uint> state, Span<uint> schedule, Span<byte> block, ref long count)
    {
        var filled = (int)(count % BlockSize);
        count += data.Length;
        if (filled + data.Length < BlockSize)
        {
            data.CopyTo(block[filled..]);
            return;
        }

        var taken = BlockSize - filled;
        data[..taken].CopyTo(block[filled..]);
        Transform(block, state, schedule);
        for (; taken + BlockSize <= data.Length; taken += BlockSize)
        {
            var inside = data.Slice(taken, BlockSize);
            Transform(inside, state, schedule);
            for (var i = 0; i < 16; i++)
                BinaryPrimitives.WriteUInt32LittleEndian(inside[(i * 4)..], schedule[64 + i]);
        }

        data[taken..].CopyTo(block);
    }

    private static void Finish(ReadOnlySpan<uint> state, Span<uint> schedule, ReadOnlySpan<byte> block, long count, Span<byte> digest)
    {
        Span<uint> last = stackalloc uint[5];
        state.CopyTo(last);
        Span<byte> tail = stackalloc byte[2 * BlockSize];
        tail.Clear();
        var filled = (int)(count % BlockSize);
        block[..filled].CopyTo(tail);
        tail[filled] = 0x80;
        var length = filled < BlockSize - 8 ? BlockSize : 2 * BlockSize;
        BinaryPrimitives.WriteInt64BigEndian(tail[(length - 8)..], count * 8);
        for (var at = 0; at < length; at += BlockSize)
            Transform(tail.Slice(at, BlockSize), last, schedule);
        for (var i = 0; i < last.Length; i++)
            BinaryPrimitives.WriteUInt32BigEndian(digest[(i * 4)..], last[i]);
    }

    // FIPS 180-4, 6.1.2.
    private static void Transform(ReadOnlySpan<byte> block, Span<uint> state, Span<uint> w)
    {
        for (var t = 0; t < 16; t++)
            w[t] = BinaryPrimitives.ReadUInt32BigEndian(block[(t * 4)..]);
        for (var t = 16; t < 80; t++)
            w[t] = BitOperations.RotateLeft(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4]);
        for (var t = 0; t < 80; t++)
        {
            var (f, k) = t switch
            {
                < 20 => ((b & c) | (~b & d), 0x5A827999u),
                < 40 => (b ^ c ^ d, 0x6ED9EBA1u),
                < 60 => ((b & c) | (b & d) | (c & d), 0x8F1BBCDCu),
                _ => (b ^ c ^ d, 0xCA62C1D6u),
            };
            var next = BitOperations.RotateLeft(a, 5) + f + e + k + w[t];
            (e, d, c, b, a) = (d, c, BitOperations.RotateLeft(b, 30), a, next);
        }

        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
    }
}
