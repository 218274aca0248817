using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Security.Cryptography;
using System.Text;
using NzbDav.Archives.Ciphers;
using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.Rar;

/// <summary>Derives keys from the candidate passwords, each only once. Thread-safe: the volumes of a set are read in parallel.</summary>
internal sealed class RarKeyring(ImmutableArray<string> passwords)
{
    /// <summary>
    /// RAR uses at most 127 characters of a password (unrar: MAXPASSWORD). As on Linux, a character counts once, however many UTF-16 units
    /// it has.
    /// </summary>
    private const int LongestPassword = 127;

    /// <summary>
    /// Most rounds, as a binary logarithm. More would take a second or longer per password; RAR itself writes 15. unrar accepts 24, with
    /// which a malicious post could block a worker for minutes.
    /// </summary>
    private const int MostRounds = 20;

    /// <summary>
    /// Most iterations per job: a thousand different salts as RAR5 writes them, about 20 s. RAR uses one salt for a whole archive; a
    /// malicious archive could have a different one for each of a hundred thousand files.
    /// </summary>
    private const long MostWork = 1L << 26;

    /// <summary>Cost of RAR4's derivation, in iterations of RAR5's: both take about 15 ms.</summary>
    private const long OldWork = 1 << 15;

    private readonly ConcurrentDictionary<(string Password, ArchiveFormat Format, string Salt, int Rounds), Lazy<RarKey>> _keys = new();
    private volatile string? _good;
    private long _work;

    /// <summary>Why the encryption is not supported; null if it is.</summary>
    public static string? Unsupported(RarEncryption encryption) =>
        encryption.Rounds > MostRounds ? $"a key derivation of 2^{encryption.Rounds} rounds is refused (the most is 2^{MostRounds})" : null;

    /// <summary>The keys of all passwords that may be right, beginning with the one that was right last. Derived on demand.</summary>
    public IEnumerable<RarKey> Candidates(RarEncryption encryption)
    {
        var good = _good;
        foreach (var password in good is null ? passwords : passwords.Remove(good, StringComparer.Ordinal).Insert(0, good))
        {
            if (password.Length == 0)
                continue;
            var key = Derive(password, encryption);
            if (encryption.Check.IsEmpty || encryption.Check.Span.SequenceEqual(key.Check.Span))
                yield return key;
        }
    }

    /// <summary>The key of one password, whether right or not.</summary>
    public RarKey Of(string password, RarEncryption encryption) => Derive(password, encryption);

    /// <summary>Message for the user: why none of the passwords opened it.</summary>
    /// <param name="what">What is encrypted, for instance "RAR headers encrypted".</param>
    public string Locked(string what) => PasswordTexts.Locked(what, passwords);

    /// <summary>Sets the password to be tried first from now on.</summary>
    public void Prefer(string password) => _good = password;

    private RarKey Derive(string password, RarEncryption encryption)
    {
        var name = (password, encryption.Format, Convert.ToHexString(encryption.Salt.Span), encryption.Rounds);
        return _keys.GetOrAdd(name, _ => new Lazy<RarKey>(() =>
        {
            Charge(encryption.Format == ArchiveFormat.Rar5 ? 2L << encryption.Rounds : OldWork);
            return encryption.Format == ArchiveFormat.Rar5
                ? DeriveRar5(password, encryption) : RarKeyDerivation.Derive(password, Cut(password), encryption.Salt.Span);
        })).Value;
    }

    private void Charge(long work)
    {
        if (Interlocked.Add(ref _work, work) > MostWork)
            throw new ArchiveException(ArchiveRefusalReason.Unsupported, "RAR: too many different keys would have to be derived.");
    }

    // RAR 5.0 archive format, "File encryption record": PBKDF2 with HMAC-SHA-256. As unrar's crypt5.cpp: 16 more iterations give the key of
    // the checksums, and another 16 the check value, which is folded to 8 bytes.
    private static RarKey DeriveRar5(string password, RarEncryption encryption)
    {
        var bytes = Encoding.UTF8.GetBytes(Cut(password));
        var salt = encryption.Salt.Span;
        var check = new byte[8];
        if (!encryption.Check.IsEmpty)
        {
            var long32 = Rfc2898DeriveBytes.Pbkdf2(bytes, salt, (1 << encryption.Rounds) + 32, HashAlgorithmName.SHA256, 32);
            for (var i = 0; i < long32.Length; i++)
                check[i % 8] ^= long32[i];
            if (!encryption.Check.Span.SequenceEqual(check))
                return new RarKey(password, default, default, check);
        }

        return new RarKey(
            password, Rfc2898DeriveBytes.Pbkdf2(bytes, salt, 1 << encryption.Rounds, HashAlgorithmName.SHA256, 32), default, check);
    }

    private static string Cut(string password) =>
        password.Length <= LongestPassword ? password : string.Concat(password.EnumerateRunes().Take(LongestPassword));
}

/// <summary>A key derived from a password.</summary>
/// <param name="Password">The password that it was derived from.</param>
/// <param name="Key">32 bytes (RAR5) or 16 (RAR4).</param>
/// <param name="IV">16 bytes for RAR4; empty for RAR5, whose headers contain it.</param>
/// <param name="Check">8 bytes (RAR5); empty for RAR4.</param>
internal sealed record RarKey(string Password, ReadOnlyMemory<byte> Key, ReadOnlyMemory<byte> IV, ReadOnlyMemory<byte> Check);
