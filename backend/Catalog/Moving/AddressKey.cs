using System.Security.Cryptography;
using System.Text;

namespace NzbDav.Catalog.Moving;

/// <summary>The keys in addresses that another program wrote into .strm files. Only a digest is kept, so the catalog does not reveal them.</summary>
public static class AddressKey
{
    private const int Length = 16;

    /// <summary>What is kept of a key: half of its SHA-256, 32 lower-case hexadecimal digits.</summary>
    public static string Of(string key) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(key)).AsSpan(0, Length));

    /// <summary>True if a key is one of those that are kept.</summary>
    /// <param name="key">As the address has it.</param>
    /// <param name="kept">Separated by blanks; null: none.</param>
    internal static bool Opens(string key, string? kept)
    {
        var digest = Encoding.ASCII.GetBytes(Of(key));
        return (kept ?? "").Split(' ').Any(one => CryptographicOperations.FixedTimeEquals(digest, Encoding.ASCII.GetBytes(one)));
    }
}
