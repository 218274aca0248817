using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;

namespace NzbDav.WebDav;

/// <summary>
/// Links that need no password, for .strm files: <c>/view/TOKEN/name.mkv</c>. The token holds the path of one file and a signature over it (HMAC-SHA256,
/// 128 bits), so nothing is stored and a link holds until the key changes. What follows the token is for players that go by the name. Thread-safe.
/// </summary>
public sealed class ViewLinks
{
    /// <summary>Where links begin, below the URL base.</summary>
    public const string Mount = "/view";

    /// <summary>Bytes of a key.</summary>
    public const int KeyLength = 32;

    private const int MacLength = 16;

    // Longer paths than this make no sensible URL.
    private const int MaxToken = 8192;

    private readonly byte[] _key;

    /// <param name="key">Secret, <see cref="KeyLength"/> random bytes, the same after a restart.</param>
    public ViewLinks(ReadOnlySpan<byte> key)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(key.Length, KeyLength, nameof(key));
        _key = key.ToArray();
    }

    /// <summary>A link to a file, without scheme, host and URL base.</summary>
    /// <param name="path">The file's path in the store: one that stays, as links live in libraries for years.</param>
    /// <param name="name">What players shall think that it is called.</param>
    public string PathTo(StorePath path, string name)
    {
        ArgumentNullException.ThrowIfNull(path);
        var text = Encoding.UTF8.GetBytes(path.ToString());
        var token = new byte[MacLength + text.Length];
        Sign(text, token);
        text.CopyTo(token, MacLength);
        var link = new StringBuilder(Mount).Append('/').Append(Base64Url.EncodeToString(token)).Append('/');
        PercentEncoding.Append(link, name);
        return link.ToString();
    }

    /// <summary>The path that a token was made for; null if it is not one of ours.</summary>
    public StorePath? TryRead(ReadOnlySpan<char> token)
    {
        if (token.Length > MaxToken || !Base64Url.IsValid(token, out var length) || length <= MacLength)
            return null;
        var bytes = new byte[length];
        if (!Base64Url.TryDecodeFromChars(token, bytes, out _))
            return null;
        Span<byte> expected = stackalloc byte[MacLength];
        var text = bytes.AsSpan(MacLength);
        Sign(text, expected);
        return CryptographicOperations.FixedTimeEquals(expected, bytes.AsSpan(0, MacLength)) ? StorePath.TryParse(Encoding.UTF8.GetString(text)) : null;
    }

    private void Sign(ReadOnlySpan<byte> text, Span<byte> destination)
    {
        Span<byte> mac = stackalloc byte[HMACSHA256.HashSizeInBytes];
        HMACSHA256.HashData(_key, text, mac);
        mac[..MacLength].CopyTo(destination);
    }
}
