using NzbDav.Api.Completion;

namespace NzbDav.Host.Settings;

/// <summary>What is configured of the HTTP interfaces, checked.</summary>
public sealed record ApiSettings
{
    /// <summary>Opens everything; null: one is made at the first start.</summary>
    public string? Key { get; init; }

    /// <summary>For programs that use this server as their download client; null: one is made at the first start.</summary>
    public string? ClientKey { get; init; }

    /// <summary>Opens what brings jobs; null: there is none.</summary>
    public string? AddKey { get; init; }

    /// <summary>Opens what looks; null: there is none.</summary>
    public string? ReadKey { get; init; }

    /// <summary>See <see cref="Api.Sab.SabOptions.PrivateHosts"/>.</summary>
    public IReadOnlyList<string> PrivateHosts { get; init; } = [];

    /// <summary>What the line to the providers carries, in Mbit/s; null: not known.</summary>
    public int? LineMegabits { get; init; }

    /// <summary>The rclone that mounts the tree; null: it need not be told.</summary>
    public RcloneOptions? Rclone { get; init; }
}
