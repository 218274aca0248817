namespace NzbDav.MockUsenet.Command;

/// <summary>The one line that the command prints when it serves.</summary>
internal sealed record ReadyLine(bool Ready, IReadOnlyList<int> Ports, int StatsPort);
