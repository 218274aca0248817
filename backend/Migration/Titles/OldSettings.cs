namespace NzbDav.Migration.Titles;

/// <summary>The settings of another program that exist in this one too.</summary>
public sealed record OldSettings
{
    /// <summary>Usenet accounts.</summary>
    public IReadOnlyList<OldProvider> Providers { get; init; } = [];

    /// <summary>Names of categories.</summary>
    public IReadOnlyList<string> Categories { get; init; } = [];

    /// <summary>*arrs.</summary>
    public IReadOnlyList<OldArr> Arrs { get; init; } = [];

    /// <summary>Where the tree is mounted; null: not known.</summary>
    public string? MountPath { get; init; }

    /// <summary>Settings that do not exist here or cannot be migrated, a sentence each.</summary>
    public IReadOnlyList<string> NotMigrated { get; init; } = [];
}

/// <summary>A Usenet account in another program.</summary>
public sealed record OldProvider
{
    /// <summary>Display name; empty: none.</summary>
    public string Name { get; init; } = "";

    /// <summary>Host name.</summary>
    public required string Host { get; init; }

    /// <summary>TCP port.</summary>
    public required int Port { get; init; }

    /// <summary>True for TLS from the first byte on.</summary>
    public required bool UseTls { get; init; }

    /// <summary>False: any certificate is accepted.</summary>
    public bool VerifyCertificate { get; init; } = true;

    /// <summary>User name; empty: none.</summary>
    public string User { get; init; } = "";

    /// <summary>Password; empty: none.</summary>
    public string Password { get; init; } = "";

    /// <summary>Number of simultaneous connections.</summary>
    public required int Connections { get; init; }

    /// <summary>Accounts with lower numbers are asked first.</summary>
    public int Priority { get; init; }

    /// <summary>True if it is only asked for articles that all others lack.</summary>
    public bool BackupOnly { get; init; }
}

/// <summary>A Sonarr, Radarr or Lidarr that another program knows.</summary>
/// <param name="Application"><c>Sonarr</c>, <c>Radarr</c> or <c>Lidarr</c>.</param>
/// <param name="Name">Display name; empty: none.</param>
/// <param name="Url">Its address.</param>
/// <param name="ApiKey">Its key.</param>
/// <param name="Category">The category of its downloads; null: not known.</param>
public sealed record OldArr(string Application, string Name, string Url, string ApiKey, string? Category);
