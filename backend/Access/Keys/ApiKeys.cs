using NzbDav.Content.Secrets;

namespace NzbDav.Access.Keys;

/// <summary>The keys of the HTTP interfaces. Thread-safe.</summary>
/// <param name="full">The key with all rights.</param>
/// <param name="client">The key for programs that use this server as download client: for queue, history and adding in the SABnzbd and
/// qBittorrent interfaces, and nothing else.</param>
/// <param name="add">The key that may only add jobs, like SABnzbd's "NZB key"; null: there is none.</param>
/// <param name="read">The key that may only read; null: there is none.</param>
public sealed class ApiKeys(string full, string client, string? add = null, string? read = null)
{
    /// <summary>File of the key with all rights, if the server created it.</summary>
    public const string FullFile = "api";

    /// <summary>File of the key for download clients, if the server created it.</summary>
    public const string ClientFile = "client";

    private const ApiRights OfClient = ApiRights.Read | ApiRights.Add | ApiRights.Change;

    private KeySet _keys = new(full, client, add, read);

    /// <summary>The key with all rights.</summary>
    public string Full => Volatile.Read(ref _keys).Full;

    /// <summary>The key for programs that use this server as their download client.</summary>
    public string Client => Volatile.Read(ref _keys).Client;

    /// <summary>The key with a name; null: there is none.</summary>
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

    /// <summary>The name of a key, the one with the most rights if two are the same; null: it is none of them.</summary>
    internal KeyName? NameOf(string key)
    {
        foreach (var name in Enum.GetValues<KeyName>())
        {
            if (SecretText.Matches(Of(name), key))
                return name;
        }

        return null;
    }

    /// <summary>Replaces the keys. The previous ones are no longer valid.</summary>
    public void Replace(string full, string client, string? add, string? read) =>
        Volatile.Write(ref _keys, new KeySet(full, client, add, read));

    /// <summary>The rights of a key. Takes the same time for a wrong key as for a right one.</summary>
    /// <param name="key">As it was sent.</param>
    /// <param name="asDownloadClient">True in the SABnzbd interface, where the key for download clients is valid.</param>
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
    /// <summary>All rights.</summary>
    Full,

    /// <summary>For Sonarr and other programs that use this server as their download client.</summary>
    Client,

    /// <summary>Adds jobs.</summary>
    Add,

    /// <summary>Reads.</summary>
    Read,
}
