using System.Buffers.Binary;
using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.View;

/// <summary>Knows the links that people and API keys created. Implemented by the host. Thread-safe.</summary>
public interface IMadeLinks
{
    /// <summary>False if the link was revoked, or if its creator is gone or may not read any more.</summary>
    /// <param name="id">The link's id: see <see cref="ViewLinks.PathTo(StorePath, string, long, DateTimeOffset)"/>.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    ValueTask<bool> StandsAsync(long id, CancellationToken cancellationToken);
}

/// <summary>
/// Links that need no password: <c>/view/TOKEN/name.mkv</c>. The token contains the path of one file and a signature of it (HMAC-SHA256,
/// 128 bits). Links for libraries (.strm files) are not stored and are valid until their key changes. Links that a person or a key created
/// have a signing key of their own, expire, and contain an id under which <see cref="IMadeLinks"/> knows them. The name after the token is
/// for players that need one. Thread-safe.
/// </summary>
public sealed class ViewLinks
{
    /// <summary>Prefix of links, below the URL base.</summary>
    public const string Mount = "/view";

    /// <summary>Length of a key in bytes.</summary>
    public const int KeyLength = 32;

    private const int MacLength = 16;

    /// <summary>First byte of the signed text of a created link; a path begins with a slash instead.</summary>
    private const byte Made = 2;

    /// <summary>The first byte, the expiry in seconds since 1970, and the id.</summary>
    private const int MadeLength = 1 + 8 + 8;

    /// <summary>Like <see cref="Made"/>, for links of earlier versions without an id, which are no longer valid.</summary>
    private const byte Ownerless = 1;

    /// <summary>The first byte and the expiry.</summary>
    private const int OwnerlessLength = 1 + 8;

    // A longer path makes no sensible URL.
    private const int MaxToken = 8192;

    private readonly TimeProvider _time;
    private volatile Keys _keys;

    /// <param name="libraryKey">Signs links for libraries. Secret, <see cref="KeyLength"/> random bytes, the same after a restart.</param>
    /// <param name="personKey">Signs created links; like the other key.</param>
    /// <param name="time">Clock for the expiry.</param>
    public ViewLinks(ReadOnlySpan<byte> libraryKey, ReadOnlySpan<byte> personKey, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(time);
        _time = time;
        _keys = new Keys(Copy(libraryKey), Copy(personKey));
    }

    /// <summary>A link for a library, which does not expire: without scheme, host and URL base.</summary>
    /// <param name="path">The file's path in the store. It must be a stable one, because links stay in libraries for years.</param>
    /// <param name="name">The name that players see.</param>
    public string PathTo(StorePath path, string name)
    {
        ArgumentNullException.ThrowIfNull(path);
        return Link(_keys.Library, Encoding.UTF8.GetBytes(path.ToString()), name);
    }

    /// <summary>A link that a person or a key created; otherwise like the other overload.</summary>
    /// <param name="path">The file's path in the store.</param>
    /// <param name="name">The name that players see.</param>
    /// <param name="id">The id under which <see cref="IMadeLinks"/> knows the link.</param>
    /// <param name="end">When it expires, to the second. Responses that have begun continue.</param>
    public string PathTo(StorePath path, string name, long id, DateTimeOffset end)
    {
        ArgumentNullException.ThrowIfNull(path);
        var target = Encoding.UTF8.GetBytes(path.ToString());
        var text = new byte[MadeLength + target.Length];
        text[0] = Made;
        BinaryPrimitives.WriteInt64BigEndian(text.AsSpan(1), end.ToUnixTimeSeconds());
        BinaryPrimitives.WriteInt64BigEndian(text.AsSpan(OwnerlessLength), id);
        target.CopyTo(text, MadeLength);
        return Link(_keys.Person, text, name);
    }

    /// <summary>The path of a library's link; null if it is not a valid one.</summary>
    public StorePath? TryRead(ReadOnlySpan<char> token) => TryRead(token, out var made) is { } path && made is null ? path : null;

    /// <summary>The path of a token; null if it is not valid, or has expired.</summary>
    /// <param name="token">The token.</param>
    /// <param name="made">The id of a created link, which is valid only if <see cref="IMadeLinks"/> says so; null for a library's
    /// link.</param>
    public StorePath? TryRead(ReadOnlySpan<char> token, out long? made)
    {
        made = null;
        if (Decode(token) is not { } bytes)
            return null;
        Span<byte> expected = stackalloc byte[MacLength];
        ReadOnlySpan<byte> text = bytes.AsSpan(MacLength);
        var isMade = text[0] == Made;
        Sign(isMade ? _keys.Person : _keys.Library, text, expected);
        if (!CryptographicOperations.FixedTimeEquals(expected, bytes.AsSpan(0, MacLength)))
            return null;
        if (!isMade)
            return StorePath.TryParse(Encoding.UTF8.GetString(text));
        if (_time.GetUtcNow().ToUnixTimeSeconds() >= BinaryPrimitives.ReadInt64BigEndian(text[1..]))
            return null;
        made = BinaryPrimitives.ReadInt64BigEndian(text[OwnerlessLength..]);
        return StorePath.TryParse(Encoding.UTF8.GetString(text[MadeLength..]));
    }

    /// <summary>
    /// The path in a token, even if the signature is wrong or it has expired: only to find out what a link was made for, never to open it.
    /// Null if it contains no path.
    /// </summary>
    public static StorePath? PathIn(ReadOnlySpan<char> token)
    {
        if (Decode(token) is not { } bytes)
            return null;
        ReadOnlySpan<byte> text = bytes.AsSpan(MacLength);
        var start = text[0] switch { Made => MadeLength, Ownerless => OwnerlessLength, _ => 0 };
        return text.Length > start ? StorePath.TryParse(Encoding.UTF8.GetString(text[start..])) : null;
    }

    /// <summary>Replaces the keys: links signed with the previous ones are no longer valid.</summary>
    /// <param name="libraryKey">See the constructor; null: unchanged.</param>
    /// <param name="personKey">See the constructor.</param>
    public void Replace(byte[]? libraryKey, byte[] personKey)
    {
        ArgumentNullException.ThrowIfNull(personKey);
        _keys = new Keys(libraryKey is null ? _keys.Library : Copy(libraryKey), Copy(personKey));
    }

    /// <summary>Signature and text of a token; null if it is malformed.</summary>
    private static byte[]? Decode(ReadOnlySpan<char> token)
    {
        if (token.Length > MaxToken || !Base64Url.IsValid(token, out var length) || length <= MacLength)
            return null;
        var bytes = new byte[length];
        return Base64Url.TryDecodeFromChars(token, bytes, out _) ? bytes : null;
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
