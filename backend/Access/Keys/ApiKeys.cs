using System.Security.Cryptography;
using System.Text;

namespace NzbDav.Access;

/// <summary>The keys of the HTTP interfaces. Immutable.</summary>
/// <param name="full">Opens everything.</param>
/// <param name="add">Opens what brings jobs, as SABnzbd's "NZB key"; null: there is none.</param>
/// <param name="read">Opens what looks; null: there is none.</param>
public sealed class ApiKeys(string full, string? add = null, string? read = null)
{
    /// <summary>What the key opens. Takes as long for a wrong one as for a right one.</summary>
    public ApiRights RightsOf(string? key)
    {
        var rights = ApiRights.None;
        if (string.IsNullOrEmpty(key))
            return rights;
        if (IsSame(full, key))
            rights |= ApiRights.Full;
        if (IsSame(add, key))
            rights |= ApiRights.Add;
        if (IsSame(read, key))
            rights |= ApiRights.Read;
        return rights;
    }

    /// <summary>The key that opens everything, for settings of programs that are to use it.</summary>
    public string Full => full;

    private static bool IsSame(string? expected, string key) =>
        expected is not null && CryptographicOperations.FixedTimeEquals(SHA256.HashData(Encoding.UTF8.GetBytes(expected)), SHA256.HashData(Encoding.UTF8.GetBytes(key)));
}
