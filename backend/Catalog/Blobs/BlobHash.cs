using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace NzbDav.Catalog.Blobs;

/// <summary>The address of a blob: the SHA-256 of its uncompressed content, written as 64 lower-case hex digits.</summary>
public readonly record struct BlobHash
{
    private static readonly SearchValues<char> Digits = SearchValues.Create("0123456789abcdef");

    private readonly string? _hex;

    private BlobHash(string hex) => _hex = hex;

    /// <summary>Makes a hash from the 32 bytes of a SHA-256.</summary>
    public static BlobHash Of(ReadOnlySpan<byte> sha256)
    {
        if (sha256.Length != 32)
            throw new ArgumentException("A SHA-256 has 32 bytes.", nameof(sha256));
        return new BlobHash(Convert.ToHexStringLower(sha256));
    }

    /// <exception cref="FormatException">Not 64 lower-case hex digits.</exception>
    public static BlobHash Parse(string hex) =>
        TryParse(hex, out var hash) ? hash : throw new FormatException($"'{hex}' is not the hash of a blob.");

    /// <summary>False if it is not 64 lower-case hex digits.</summary>
    public static bool TryParse([NotNullWhen(true)] string? hex, out BlobHash hash)
    {
        var valid = hex is { Length: 64 } && hex.AsSpan().IndexOfAnyExcept(Digits) < 0;
        hash = valid ? new BlobHash(hex!) : default;
        return valid;
    }

    /// <summary>The hex digits.</summary>
    /// <exception cref="InvalidOperationException">The value is <c>default</c>.</exception>
    public override string ToString() => _hex ?? throw new InvalidOperationException("The hash of a blob was not set.");
}
