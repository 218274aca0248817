using System.Security.Cryptography;
using System.Text;

namespace NzbDav.Access;

/// <summary>The keys of the HTTP interfaces. Thread-safe.</summary>
/// <param name="full">Opens everything.</param>
/// <param name="add">Opens what brings jobs, as SABnzbd's "NZB key"; null: there is none.</param>
/// <param name="read">Opens what looks; null: there is none.</param>
public sealed class ApiKeys(string full, string? add = null, string? read = null)
{
    private KeySet _keys = new(full, add, read);

    /// <summary>The key that opens everything, for settings of programs that are to use it.</summary>
    public string Full => Volatile.Read(ref _keys).Full;

    /// <summary>Other keys from now on; the former ones open nothing any more.</summary>
    public void Replace(string full, string? add, string? read) => Volatile.Write(ref _keys, new KeySet(full, add, read));

    /// <summary>What the key opens. Takes as long for a wrong one as for a right one.</summary>
    public ApiRights RightsOf(string? key)
    {
        var rights = ApiRights.None;
        if (string.IsNullOrEmpty(key))
            return rights;
        var keys = Volatile.Read(ref _keys);
        if (IsSame(keys.Full, key))
            rights |= ApiRights.Full;
        if (IsSame(keys.Add, key))
            rights |= ApiRights.Add;
        if (IsSame(keys.Read, key))
            rights |= ApiRights.Read;
        return rights;
    }

    private static bool IsSame(string? expected, string key) =>
        expected is not null && CryptographicOperations.FixedTimeEquals(SHA256.HashData(Encoding.UTF8.GetBytes(expected)), SHA256.HashData(Encoding.UTF8.GetBytes(key)));

    private sealed record KeySet(string Full, string? Add, string? Read);
}
