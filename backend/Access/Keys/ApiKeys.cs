using NzbDav.Content.Secrets;

namespace NzbDav.Access.Keys;

/// <summary>The keys of the HTTP interfaces. Thread-safe.</summary>
/// <param name="full">Opens everything.</param>
/// <param name="client">For download clients' programs: opens queue, history and adding in the SABnzbd and qBittorrent interfaces, and
/// nothing elsewhere.</param>
/// <param name="add">Opens what brings jobs, as SABnzbd's "NZB key"; null: there is none.</param>
/// <param name="read">Opens what looks; null: there is none.</param>
public sealed class ApiKeys(string full, string client, string? add = null, string? read = null)
{
    /// <summary>The file of the key that opens everything, if the server made it.</summary>
    public const string FullFile = "api";

    /// <summary>The file of the key for download clients, if the server made it.</summary>
    public const string ClientFile = "client";

    private const ApiRights OfClient = ApiRights.Read | ApiRights.Add | ApiRights.Change;

    private KeySet _keys = new(full, client, add, read);

    /// <summary>The key that opens everything.</summary>
    public string Full => Volatile.Read(ref _keys).Full;

    /// <summary>The key for programs that use this server as their download client.</summary>
    public string Client => Volatile.Read(ref _keys).Client;

    /// <summary>One of them; null: there is none.</summary>
    internal string? Of(KeyName name)
    {
        var keys = Volatile.Read(ref _keys);
        return name switch
        {
            KeyName.Full => keys.Full,
            KeyName.Client => keys.Client,
            KeyName.Add => keys.Add,
            _ => keys.Read,
        };
    }

    /// <summary>Which key it is, the one that opens most if two are the same; null: none.</summary>
    internal KeyName? NameOf(string key)
    {
        foreach (var name in Enum.GetValues<KeyName>())
        {
            if (SecretText.Matches(Of(name), key))
                return name;
        }

        return null;
    }

    /// <summary>Other keys from now on; the former ones open nothing any more.</summary>
    public void Replace(string full, string client, string? add, string? read) =>
        Volatile.Write(ref _keys, new KeySet(full, client, add, read));

    /// <summary>What the key opens. Takes as long for a wrong one as for a right one.</summary>
    /// <param name="key">As it was sent.</param>
    /// <param name="asDownloadClient">True in the SABnzbd interface, where the key for download clients counts.</param>
    public ApiRights RightsOf(string? key, bool asDownloadClient = false)
    {
        var rights = ApiRights.None;
        if (string.IsNullOrEmpty(key))
            return rights;
        var keys = Volatile.Read(ref _keys);
        if (SecretText.Matches(keys.Full, key))
            rights |= ApiRights.Full;
        if (SecretText.Matches(keys.Client, key) && asDownloadClient)
            rights |= OfClient;
        if (SecretText.Matches(keys.Add, key))
            rights |= ApiRights.Add;
        if (SecretText.Matches(keys.Read, key))
            rights |= ApiRights.Read;
        return rights;
    }

    private sealed record KeySet(string Full, string Client, string? Add, string? Read);
}

/// <summary>One of the API keys.</summary>
internal enum KeyName
{
    /// <summary>Opens everything.</summary>
    Full,

    /// <summary>For Sonarr and other programs that use this server as their download client.</summary>
    Client,

    /// <summary>Brings jobs.</summary>
    Add,

    /// <summary>Looks.</summary>
    Read,
}
