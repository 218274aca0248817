using System.Buffers.Binary;
using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.View;

/// <summary>
/// Links that need no password: <c>/view/TOKEN/name.mkv</c>. The token holds the path of one file and a signature over it (HMAC-SHA256, 128 bits), so nothing is stored. Links for
/// libraries (.strm files) hold until their key changes; links for people also end by themselves, and have a key of their own. What follows the token is for players that go by the
/// name. Thread-safe.
/// </summary>
public sealed class ViewLinks
{
    /// <summary>Where links begin, below the URL base.</summary>
    public const string Mount = "/view";

    /// <summary>Bytes of a key.</summary>
    public const int KeyLength = 32;

    private const int MacLength = 16;

    /// <summary>Begins what is signed of a link that ends; a path begins with a slash.</summary>
    private const byte Ending = 1;

    /// <summary>The mark and the end, in seconds since 1970.</summary>
    private const int EndLength = 9;

    // Longer paths than this make no sensible URL.
    private const int MaxToken = 8192;

    private readonly TimeProvider _time;
    private volatile Keys _keys;

    /// <param name="libraryKey">Signs links for libraries. Secret, <see cref="KeyLength"/> random bytes, the same after a restart.</param>
    /// <param name="personKey">Signs links for people; as the other.</param>
    /// <param name="time">Tells when links end.</param>
    public ViewLinks(ReadOnlySpan<byte> libraryKey, ReadOnlySpan<byte> personKey, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(time);
        _time = time;
        _keys = new Keys(Copy(libraryKey), Copy(personKey));
    }

    /// <summary>A link for a library, which does not end: without scheme, host and URL base.</summary>
    /// <param name="path">The file's path in the store: one that stays, as links live in libraries for years.</param>
    /// <param name="name">What players shall think that it is called.</param>
    public string PathTo(StorePath path, string name)
    {
        ArgumentNullException.ThrowIfNull(path);
        return Link(_keys.Library, Encoding.UTF8.GetBytes(path.ToString()), name);
    }

    /// <summary>A link for a person, which ends; else as the other.</summary>
    /// <param name="path">The file's path in the store.</param>
    /// <param name="name">What players shall think that it is called.</param>
    /// <param name="end">From then on it opens nothing, to the second. What is being sent then goes on.</param>
    public string PathTo(StorePath path, string name, DateTimeOffset end)
    {
        ArgumentNullException.ThrowIfNull(path);
        var target = Encoding.UTF8.GetBytes(path.ToString());
        var text = new byte[EndLength + target.Length];
        text[0] = Ending;
        BinaryPrimitives.WriteInt64BigEndian(text.AsSpan(1), end.ToUnixTimeSeconds());
        target.CopyTo(text, EndLength);
        return Link(_keys.Person, text, name);
    }

    /// <summary>The path that a token was made for; null if it is not one of ours, or has ended.</summary>
    public StorePath? TryRead(ReadOnlySpan<char> token)
    {
        if (token.Length > MaxToken || !Base64Url.IsValid(token, out var length) || length <= MacLength)
            return null;
        var bytes = new byte[length];
        if (!Base64Url.TryDecodeFromChars(token, bytes, out _))
            return null;
        Span<byte> expected = stackalloc byte[MacLength];
        ReadOnlySpan<byte> text = bytes.AsSpan(MacLength);
        var ends = text[0] == Ending;
        Sign(ends ? _keys.Person : _keys.Library, text, expected);
        if (!CryptographicOperations.FixedTimeEquals(expected, bytes.AsSpan(0, MacLength)))
            return null;
        if (ends)
        {
            if (_time.GetUtcNow().ToUnixTimeSeconds() >= BinaryPrimitives.ReadInt64BigEndian(text[1..]))
                return null;
            text = text[EndLength..];
        }

        return StorePath.TryParse(Encoding.UTF8.GetString(text));
    }

    /// <summary>The path in a token, whoever signed it and whether or not it has ended: for telling what a link was made for, never for opening it. Null if it holds none.</summary>
    public static StorePath? PathIn(ReadOnlySpan<char> token)
    {
        if (token.Length > MaxToken || !Base64Url.IsValid(token, out var length) || length <= MacLength)
            return null;
        var bytes = new byte[length];
        if (!Base64Url.TryDecodeFromChars(token, bytes, out _))
            return null;
        ReadOnlySpan<byte> text = bytes.AsSpan(MacLength);
        return text[0] != Ending ? StorePath.TryParse(Encoding.UTF8.GetString(text)) : text.Length > EndLength ? StorePath.TryParse(Encoding.UTF8.GetString(text[EndLength..])) : null;
    }

    /// <summary>Other keys from now on: links made with those before open nothing any more.</summary>
    /// <param name="libraryKey">See the constructor; null: links for libraries stay.</param>
    /// <param name="personKey">See the constructor.</param>
    public void Replace(byte[]? libraryKey, byte[] personKey)
    {
        ArgumentNullException.ThrowIfNull(personKey);
        _keys = new Keys(libraryKey is null ? _keys.Library : Copy(libraryKey), Copy(personKey));
    }

    private static byte[] Copy(ReadOnlySpan<byte> key)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(key.Length, KeyLength, nameof(key));
        return key.ToArray();
    }

    private static string Link(byte[] key, byte[] text, string name)
    {
        var token = new byte[MacLength + text.Length];
        Sign(key, text, token);
        text.CopyTo(token, MacLength);
        var link = new StringBuilder(Mount).Append('/').Append(Base64Url.EncodeToString(token)).Append('/');
        PercentEncoding.Append(link, name);
        return link.ToString();
    }

    private static void Sign(byte[] key, ReadOnlySpan<byte> text, Span<byte> destination)
    {
        Span<byte> mac = stackalloc byte[HMACSHA256.HashSizeInBytes];
        HMACSHA256.HashData(key, text, mac);
        mac[..MacLength].CopyTo(destination);
    }

    private sealed record Keys(byte[] Library, byte[] Person);
}
