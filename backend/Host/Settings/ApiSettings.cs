using NzbDav.Api.Completion;
using NzbDav.Content.Proxies;

namespace NzbDav.Host.Settings;

/// <summary>The validated settings of the HTTP interfaces.</summary>
public sealed record ApiSettings
{
    /// <summary>The key for everything; null: one is generated at the first start.</summary>
    public string? Key { get; init; }

    /// <summary>The key for programs that use this server as their download client; null: one is generated at the first start.</summary>
    public string? ClientKey { get; init; }

    /// <summary>The key that may only add jobs; null: there is none.</summary>
    public string? AddKey { get; init; }

    /// <summary>The key that may only read; null: there is none.</summary>
    public string? ReadKey { get; init; }

    /// <summary>See <see cref="NzbDav.Api.Sab.Calls.SabOptions.PrivateHosts"/>.</summary>
    public IReadOnlyList<string> PrivateHosts { get; init; } = [];

    /// <summary>See <see cref="NzbDav.Api.Sab.Calls.SabOptions.UserAgent"/>.</summary>
    public string UserAgent { get; init; } = NzbDav.Api.Sab.Calls.SabOptions.DefaultUserAgent;

    /// <summary>See <see cref="NzbDav.Api.Sab.Calls.SabOptions.Proxy"/>.</summary>
    public ProxyAddress? Proxy { get; init; }

    /// <summary>Bandwidth of the line to the providers, in Mbit/s; null: not known.</summary>
    public int? LineMegabits { get; init; }

    /// <summary>The rclone that mounts the tree; null: there is none to notify.</summary>
    public RcloneOptions? Rclone { get; init; }
}
