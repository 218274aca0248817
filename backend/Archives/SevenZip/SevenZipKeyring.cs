using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Security.Cryptography;
using System.Text;
using NzbDav.Archives.Ciphers;
using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.SevenZip;

/// <summary>Derives 7zAES keys from the candidate passwords, each only once. For one caller at a time.</summary>
internal sealed class SevenZipKeyring(ImmutableArray<string> passwords)
{
    /// <summary>Most rounds, as a binary logarithm. 7-Zip writes 19 and accepts up to 24 (kNumCyclesPower_Supported_MAX), with which a
    /// malicious post could block a worker for seconds per password.</summary>
    private const int MostPower = 22;

    /// <summary>"No derivation": the key consists of salt and password.</summary>
    private const int NoDerivation = 0x3F;

    /// <summary>Most rounds per archive: a thousand different salts as 7-Zip writes them, about 20 s.</summary>
    private const long MostWork = 1L << 29;

    private long _work;
    private readonly Dictionary<(string Password, string Salt, int Power), byte[]> _keys = [];
    private string? _good;

    /// <summary>Each password with its cipher, beginning with the one that was right last.</summary>
    /// <exception cref="ArchiveException">The properties are invalid or not supported.</exception>
    public IEnumerable<(string Password, ArchiveCipher Cipher)> Candidates(SevenZipCoder coder)
    {
        var (power, salt, iv) = Properties(coder.Properties.Span);
        foreach (var password in _good is null ? passwords : passwords.Remove(_good, StringComparer.Ordinal).Insert(0, _good))
        {
            if (password.Length > 0)
                yield return (password, new ArchiveCipher(Derive(password, power, salt), iv));
        }
    }

    public void Prefer(string password) => _good = password;

    public string Locked(string what) => PasswordTexts.Locked(what, passwords);

    public ArchiveCipher Of(string password, SevenZipCoder coder)
    {
        var (power, salt, iv) = Properties(coder.Properties.Span);
        return new ArchiveCipher(Derive(password, power, salt), iv);
    }

    // 7zAes.cpp, SetDecoderProperties2: 6 bits of power, one bit each for salt and IV; then 4 more bits for the size of each.
    private static (int Power, byte[] Salt, byte[] IV) Properties(ReadOnlySpan<byte> properties)
    {
        var iv = new byte[16];
        if (properties.IsEmpty)
            throw ArchiveException.Damaged("7z: the encryption has no settings.");
        int first = properties[0], second = properties.Length > 1 ? properties[1] : 0;
        var hasMore = (first & 0xC0) != 0;
        var saltSize = hasMore ? ((first >> 7) & 1) + (second >> 4) : 0;
        var ivSize = hasMore ? ((first >> 6) & 1) + (second & 0x0F) : 0;
        if (hasMore && properties.Length < 2 + saltSize + ivSize)
            throw ArchiveException.Damaged("7z: the encryption's settings end too early.");
        var salt = hasMore ? properties.Slice(2, saltSize).ToArray() : [];
        if (hasMore)
            properties.Slice(2 + saltSize, ivSize).CopyTo(iv);
        var power = first & 0x3F;
        return power is <= MostPower or NoDerivation
            ? (power, salt, iv)
            : throw new ArchiveException(
                ArchiveRefusalReason.Unsupported, $"7z: a key derivation of 2^{power} rounds is refused (the most is 2^{MostPower}).");
    }

    private byte[] Derive(string password, int power, byte[] salt)
    {
        var name = (password, Convert.ToHexString(salt), power);
        if (_keys.TryGetValue(name, out var key))
            return key;
        _work += power == NoDerivation ? 1 : 1L << power;
        if (_work > MostWork)
            throw new ArchiveException(ArchiveRefusalReason.Unsupported, "7z: too many different keys would have to be derived.");
        return _keys[name] = power == NoDerivation ? Plain(password, salt) : Derive(Encoding.Unicode.GetBytes(password), salt, power);
    }

    // SHA-256 over 2^power times salt, password and a counter of 8 bytes.
    private static byte[] Derive(byte[] password, byte[] salt, int power)
    {
        const int Together = 1024;
        var unit = salt.Length + password.Length + 8;
        var rounds = 1L << power;
        var batch = new byte[unit * (int)Math.Min(Together, rounds)];
        using var sha = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        for (long round = 0; round < rounds;)
        {
            var filled = 0;
            for (; filled < batch.Length; filled += unit, round++)
            {
                salt.CopyTo(batch.AsSpan(filled));
                password.CopyTo(batch.AsSpan(filled + salt.Length));
                BinaryPrimitives.WriteInt64LittleEndian(batch.AsSpan(filled + unit - 8), round);
            }

            sha.AppendData(batch, 0, filled);
        }

        return sha.GetHashAndReset();
    }

    private static byte[] Plain(string password, byte[] salt)
    {
        var key = new byte[32];
        byte[] all = [.. salt, .. Encoding.Unicode.GetBytes(password)];
        all.AsSpan(0, Math.Min(all.Length, key.Length)).CopyTo(key);
        return key;
    }
}
