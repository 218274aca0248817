using System.Net;

namespace NzbDav.MockUsenet.Command;

/// <summary>The parsed command line.</summary>
internal sealed record MockSettings
{
    public required IPAddress Address { get; init; }

    public required int Port { get; init; }

    public required int StatsPort { get; init; }

    public required int Providers { get; init; }

    public required double LatencyMs { get; init; }

    public required double JitterMs { get; init; }

    public required long Rate { get; init; }

    public required long TotalRate { get; init; }

    public required int MaxConnections { get; init; }

    public required double GhostSeconds { get; init; }

    public required bool Tls { get; init; }

    public FileInfo? CertificateOut { get; init; }

    public string? Username { get; init; }

    public string? Password { get; init; }

    public required ulong Seed { get; init; }

    public required double SizeMb { get; init; }

    public required string Name { get; init; }

    /// <summary>The random file begins as a Matroska film does.</summary>
    public bool Film { get; init; }

    public required IReadOnlyList<FileInfo> Files { get; init; }

    public required int ArticleSize { get; init; }

    public required bool Obfuscate { get; init; }

    public required double Missing { get; init; }

    public required double Corrupt { get; init; }

    public required int CorruptTimes { get; init; }

    public required double Stall { get; init; }

    public FileInfo? NzbOut { get; init; }

    public required bool Eager { get; init; }

    public required bool ExitWithStdin { get; init; }
}
