using System.Globalization;

namespace NzbDav.Catalog.Tree;

/// <summary>How to decrypt the content of a file's extent map, without asking for the password again. Immutable.</summary>
public sealed class FileEncryption
{
    /// <summary>Names the form, so that a later one can be told from it.</summary>
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

    /// <summary>Without keys: this is for logs.</summary>
    public override string ToString() => $"{Form}, spans: {Spans.Count}";

    /// <summary><c>aes-cbc;stored:skip:length:key:iv;…</c>, numbers decimal, the last two in hex and empty for plain bytes.</summary>
    internal string Format() => Form + string.Concat(Spans.Select(span => string.Create(
        CultureInfo.InvariantCulture,
        $";{span.Stored}:{span.Skip}:{span.Length}:{Convert.ToHexStringLower(span.Key.Span)}:{Convert.ToHexStringLower(span.Iv.Span)}")));

    /// <exception cref="FormatException">Somebody else wrote it.</exception>
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

    private static FormatException Unknown(string text) => new($"A file is encrypted in a way that this version does not know: {text.AsSpan(0, Math.Min(text.Length, 16))}…");
}
