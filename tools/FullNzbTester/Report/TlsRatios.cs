using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Options;

namespace NzbDav.FullNzbTester.Report;

/// <summary>The cost of TLS: a network's run over TLS relative to its run in plain text, where both were made.</summary>
internal static class TlsRatios
{
    private const string Block = "TLS over plain text";

    private static readonly (string Label, string Name, string Figure)[] Rows =
    [
        ("floor: speed", "tls_over_plain_floor_ratio", "floor_mb_per_s"),
        ("floor: CPU", "tls_over_plain_floor_cpu_ratio", "floor_cpu_s_per_gb"),
        ("sequential, thrown away: speed", "tls_over_plain_uncompared_ratio", "webdav_uncompared_mb_per_s"),
        ("sequential, compared: speed", "tls_over_plain_sequential_ratio", "webdav_sequential_mb_per_s"),
        ("server: CPU", "tls_over_plain_server_cpu_ratio", "server_cpu_s_per_gb"),
    ];

    /// <summary>Adds the ratios to the findings of the runs over TLS.</summary>
    public static void AddTo(IReadOnlyList<(NetworkProfile Network, RunFindings Findings)> runs)
    {
        foreach (var (network, findings) in runs.Where(run => run.Network.Tls))
        {
            if (runs.FirstOrDefault(run => run.Network.OverTls == network).Findings is not { } plain)
                continue;
            foreach (var (label, name, figure) in Rows)
            {
                if (findings[figure] / plain[figure] is { } ratio)
                    findings.Add(new FigureRow(Block, label, [new Figure(name, ratio)]));
            }
        }
    }
}
