using System.Globalization;
using NzbDav.Content;

namespace NzbDav.Catalog.Tree;

/// <summary>How to decrypt the content of a file's extent map, without asking for the password again. Immutable.</summary>
public sealed class FileEncryption
{
    /// <summary>Prefix of the stored form, which tells later forms apart.</summary>
    private const string Form = "aes-cbc";

    /// <param name="spans">In the file's order, at least one.</param>
    public FileEncryption(IReadOnlyList<StoredSpan> spans)
    {
        ArgumentNullException.ThrowIfNull(spans);
        if (spans.Count == 0)
            throw new ArgumentException("An encrypted file has at least one span.", nameof(spans));
        Spans = spans;
    }

    /// <summary>In the file's order; together they are the file.</summary>
    public IReadOnlyList<StoredSpan> Spans { get; }

    /// <summary>
    /// The bytes of the file that are lost with stored ones. In an encrypted span: every block with a lost byte and the block after it,
    /// because AES-CBC needs the ciphertext of the previous block (NIST SP 800-38A, 6.2).
    /// </summary>
    /// <param name="stored">The lost bytes of the extent map.</param>
    /// <returns>From the first lost byte to the last; null when the file loses none.</returns>
    public ByteSpan? LostWith(ByteSpan stored)
    {
        const int Block = 16;
        ByteSpan? lost = null;
        long at = 0, plain = 0;
        foreach (var span in Spans)
        {
            var part = new ByteSpan(0, span.Stored).Intersect(stored.Shift(-at));
            if (!part.IsEmpty && span.IsEncrypted)
                part = new((part.Start / Block * Block) - span.Skip, ((part.End + Block - 1) / Block * Block) + Block - span.Skip);
            part = part.Intersect(new(0, span.Length));
            if (!part.IsEmpty)
                lost = new(lost?.Start ?? (plain + part.Start), plain + part.End);
            at += span.Stored;
            plain += span.Length;
        }

        return lost;
    }

    /// <summary>Omits the keys, for logs.</summary>
    public override string ToString() => $"{Form}, spans: {Spans.Count}";

    /// <summary><c>aes-cbc;stored:skip:length:key:iv;…</c>, numbers decimal, the last two in hex and empty for plain bytes.</summary>
    internal string Format() => Form + string.Concat(Spans.Select(span => string.Create(
        CultureInfo.InvariantCulture,
        $";{span.Stored}:{span.Skip}:{span.Length}:{Convert.ToHexStringLower(span.Key.Span)}:{Convert.ToHexStringLower(span.Iv.Span)}")));

    /// <exception cref="FormatException">The text was not written by <see cref="Format"/>.</exception>
    internal static FileEncryption? Parse(string? stored)
    {
        if (stored is null)
            return null;
        var parts = stored.Split(';');
        return parts[0] == Form ? new FileEncryption([.. parts.Skip(1).Select(Span)]) : throw Unknown(stored);
    }

    private static StoredSpan Span(string text) => text.Split(':') is [var stored, var skip, var length, var key, var iv]
        ? new StoredSpan(Number(stored), Number(skip), Number(length), Convert.FromHexString(key), Convert.FromHexString(iv))
        : throw Unknown(text);

    private static long Number(string text) => long.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture);

    private static FormatException Unknown(string text) =>
        new($"A file is encrypted in a way that this version does not know: {text.AsSpan(0, Math.Min(text.Length, 16))}…");
}

/// <summary>A run of a file's bytes, and how it is stored in the extent map: plain, or encrypted with AES in CBC mode. Immutable.</summary>
public sealed class StoredSpan
{
    private readonly byte[] _key;
    private readonly byte[] _iv;

    /// <param name="stored">Bytes of the span in the map, at least 1; with a key a multiple of 16. Spans are consecutive in the
    /// map.</param>
    /// <param name="skip">Decrypted bytes to skip before the file's first; 0 without a key.</param>
    /// <param name="length">Bytes of the file, at least 1.</param>
    /// <param name="key">16, 24 or 32 bytes; empty for plain bytes.</param>
    /// <param name="iv">Initialisation vector, 16 bytes; empty without a key.</param>
    public StoredSpan(long stored, long skip, long length, ReadOnlySpan<byte> key, ReadOnlySpan<byte> iv)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(stored, 1);
        ArgumentOutOfRangeException.ThrowIfNegative(skip);
        ArgumentOutOfRangeException.ThrowIfLessThan(length, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, stored - skip);
        if (key.Length is not (0 or 16 or 24 or 32) || iv.Length != (key.IsEmpty ? 0 : 16))
            throw new ArgumentException("An AES key has 16, 24 or 32 bytes, an initialisation vector 16.", nameof(key));
        if (key.IsEmpty ? skip != 0 || length != stored : stored % 16 != 0)
            throw new ArgumentException("A plain span is all of its bytes, an encrypted one whole blocks.", nameof(stored));
        _key = key.ToArray();
        _iv = iv.ToArray();
        (Stored, Skip, Length) = (stored, skip, length);
    }

    /// <summary>Bytes of the span in the map.</summary>
    public long Stored { get; }

    /// <summary>Decrypted bytes to skip before the file's first.</summary>
    public long Skip { get; }

    /// <summary>Bytes of the file.</summary>
    public long Length { get; }

    /// <summary>True when the bytes have to be decrypted.</summary>
    public bool IsEncrypted => _key.Length > 0;

    /// <summary>The key; empty for plain bytes.</summary>
    public ReadOnlyMemory<byte> Key => _key;

    /// <summary>The initialisation vector; empty for plain bytes.</summary>
    public ReadOnlyMemory<byte> Iv => _iv;

    /// <summary>Omits the key, for logs.</summary>
    public override string ToString() => IsEncrypted ? $"{Length} bytes, AES-{_key.Length * 8}" : $"{Length} bytes";
}
