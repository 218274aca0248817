namespace NzbDav.Migration.Titles;

/// <summary>A Usenet account in another program.</summary>
public sealed record OldProvider
{
    /// <summary>For people; empty: none.</summary>
    public string Name { get; init; } = "";

    /// <summary>Host name.</summary>
    public required string Host { get; init; }

    /// <summary>TCP port.</summary>
    public required int Port { get; init; }

    /// <summary>TLS from the first byte on.</summary>
    public required bool UseTls { get; init; }

    /// <summary>False: any certificate is taken.</summary>
    public bool VerifyCertificate { get; init; } = true;

    /// <summary>Empty: none.</summary>
    public string User { get; init; } = "";

    /// <summary>Empty: none.</summary>
    public string Password { get; init; } = "";

    /// <summary>Connections at a time.</summary>
    public required int Connections { get; init; }

    /// <summary>Lower goes first.</summary>
    public int Priority { get; init; }

    /// <summary>Only asked for what all others do not have.</summary>
    public bool BackupOnly { get; init; }
}
